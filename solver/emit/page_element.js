// SPDX-License-Identifier: Apache-2.0
// el('p', {class: 'x'}, 'text', child...): an element; texts are only ever set as texts.
function el(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const key in attributes || {}) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), attributes[key]);
    else if (attributes[key] !== false && attributes[key] !== undefined) e.setAttribute(key, attributes[key]);
  }
  e.append(...children.flat(9).filter(c => c !== null && c !== undefined && c !== false));
  return e;
}

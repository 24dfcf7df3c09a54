// SPDX-License-Identifier: Apache-2.0
// Elements of the page.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error('no element ' + id);
  return found as T;
}

type Child = Node | string | null;

export function el(name: string, attributes: Record<string, string | ((event: Event) => void)>, ...children: Child[]): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null));
  return made;
}

export const bytesText = (n: number) => n < 1024 ? `${n} bytes` : n < 1 << 20 ? `${(n / 1024).toFixed(1)} KiB` : `${(n / (1 << 20)).toFixed(1)} MiB`;
export const count = (n: number, word: string) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

/** Tabs by the roles that screen readers know; arrow keys go from one to the next. */
export function tabs(list: HTMLElement, onChoose: (panel: string) => void): (panel: string) => void {
  const all = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
  const choose = (tab: HTMLElement) => {
    for (const other of all) {
      const on = other === tab, panel = byId(other.getAttribute('aria-controls') ?? '');
      other.setAttribute('aria-selected', String(on));
      other.tabIndex = on ? 0 : -1;
      panel.classList.toggle('chosen', on);
    }
    onChoose(tab.getAttribute('aria-controls') ?? '');
  };
  for (const tab of all) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', event => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const shown = all.filter(t => t.offsetParent !== null), next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
      next.focus();
      choose(next);
    });
  }
  return panel => all.filter(tab => tab.getAttribute('aria-controls') === panel).forEach(choose);
}

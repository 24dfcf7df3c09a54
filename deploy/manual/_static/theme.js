// SPDX-License-Identifier: Apache-2.0
// Light or dark: what was chosen here, else what the system says. The theme's own script does this as a module, which
// browsers refuse below file://.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const kept = () => { try { return localStorage.getItem('theme'); } catch { return null; } };
  const show = () => { document.body.dataset.theme = kept() || (system.matches ? 'dark' : 'light'); };
  const change = () => {
    const next = document.body.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('theme', next); } catch { /* the page is shown, and the choice is forgotten */ }
    document.body.dataset.theme = next;
  };
  system.addEventListener('change', show);
  addEventListener('DOMContentLoaded', () => {
    show();
    for (const button of document.getElementsByClassName('theme-toggle')) button.addEventListener('click', change);
  });
})();

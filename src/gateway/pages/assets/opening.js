// A post opens where it is pressed. Whatever in it does something of its own, and marking its words, stays as it is; its time
// is the link for keys and screen readers.

const actsItself =
  'a, button, summary, label, input, textarea, select, video, audio, form, .media, .quote, .menu, .confirm, [contenteditable]';

document.addEventListener('click', (event) => {
  const article = event.target.closest?.('.timeline > .entry:not(.focus) > article.status');
  if (!article || event.defaultPrevented || event.target.closest(actsItself)) return;
  if (getSelection()?.isCollapsed === false) return;
  const link = article.querySelector(':scope > header .when a');
  if (event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener');
  else link?.click();
});

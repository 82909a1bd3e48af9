// Buttons that copy an address. Without a script it stands beside them, to be copied by hand, or they are not shown.

if (navigator.clipboard !== undefined) {
  document.documentElement.dataset.copies = '';
  for (const button of document.querySelectorAll('button[data-copy]')) button.hidden = false;
  document.addEventListener('click', async (event) => {
    const button = event.target.closest?.('button[data-copy]');
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  });
}

/** Buttons that copy an address. Without a script it stands beside them, to be copied by hand. */

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (navigator.clipboard === undefined) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  });
}

/** Escapes text for HTML, for text and quoted attribute values alike. */

const special = /[&<>"']/;
const specials = /[&<>"']/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(specials, entityOf) : text;
}

function entityOf(character: string): string {
  return entities[character]!;
}

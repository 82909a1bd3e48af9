/** A QR code as a picture within the page: dark modules on a light ground in every colour scheme, as readers expect. */
import { Html } from '../../../services/words/html.ts';

export async function qrCode(text: string): Promise<Html> {
  // Loaded with the first one: hardly any page has one.
  const { default: qrcode } = await import('qrcode');
  const markup = await qrcode.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  // The text is nowhere in it but as modules.
  return new Html(markup.replace('<svg ', '<svg class="qr" aria-hidden="true" '));
}

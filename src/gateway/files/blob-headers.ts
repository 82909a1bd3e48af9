/** Headers of bytes of strangers: nothing in them runs, whatever a browser takes them for; any page may show them. */
export const blobHeaders = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

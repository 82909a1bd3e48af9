/** The pictures of the server in points, for apps and for the places of installed pages. Their addresses stay. */
export const icons = [
  { path: '/assets/icon-192.png', pixels: 192 },
  { path: '/assets/icon-512.png', pixels: 512 },
];

/** The background of pages (`--sky` in assets/base.css), for what browsers draw around them. */
export const colours = { light: '#f7f4f5', dark: '#14131b' } as const;

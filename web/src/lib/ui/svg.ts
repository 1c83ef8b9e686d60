/** A picture that came as text, as an address for `img`: what is in it cannot act on the page. */
export const svgAddress = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

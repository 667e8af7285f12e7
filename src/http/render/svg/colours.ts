/**
 * A picture brings its own light ground, since an `img` knows nothing of the page around it and stands on dark ones too.
 * Every text and mark has a contrast of 4.5 or more against it (WCAG AA).
 */
export const GROUND = '#ffffff'
export const EDGE = '#d1d9e0'
export const GRID = '#e6eaef'
export const TEXT = '#1f2328'
export const MUTED = '#59636e'
/** Beneath white text. */
export const DARK = '#3d444d'

export const BLUE = '#0969da'
export const GREEN = '#1a7f37'
export const RED = '#cf222e'
export const AMBER = '#9a6700'
export const GREY = '#59636e'

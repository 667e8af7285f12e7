/** The few icons of the page, drawn in the colour of the text beside them. They say nothing that a word does not. */
const SHAPES = {
  pass: 'M3.5 8.5l3 3 6-7',
  fail: 'M4 4l8 8M12 4l-8 8',
  error: 'M8 3v6M8 12.2v.3',
  inactive: 'M4 8h8',
  insufficient: 'M8 8V4.5M8 8l2.5 1.5M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0',
  trusted: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.7 8l1.7 1.7 3-3.4',
  untrusted: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  revoked: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM2.5 13.5l11-11',
  undone: 'M6 3L3 6l3 3M3.2 6H10a3.2 3.2 0 0 1 0 6.8H6.5',
  undecided: 'M2.5 8c1.8-3.4 3.7-3.4 5.5 0s3.7 3.4 5.5 0',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 1 0 0-5.6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 1 0 0-8.4M10.2 10.2l3.3 3.3',
  reload: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5',
  out: 'M6.5 3H3.5v10h3M7 8h6.5M11 5.5L13.5 8 11 10.5',
  link: 'M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  left: 'M12.5 8H3.5M7 4L3 8l4 4',
  right: 'M3.5 8h9M9 4l4 4-4 4',
  gate: 'M3.5 13V7.5a4.5 4.5 0 0 1 9 0V13M8 3v10M3.5 9.5h9',
} as const

export type IconName = keyof typeof SHAPES

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  )
}

/** Draws the two pictures of a slide captcha; nothing is loaded from anywhere. */
import { randomInt } from 'node:crypto'
import sharp from 'sharp'

export const WIDTH = 320
export const HEIGHT = 160
/** Pixels of the piece's square, its knob included. */
export const PIECE = 52

/** A piece with a knob on top and one on the right. */
const SHAPE = 'M4 16h13a7 7 0 1 1 12 0h11v12a7 7 0 1 1 0 11v11H4z'

const PALETTES = [
  ['#1f2a6b', '#4b5fd6', '#9db1ff', '#f0b429', '#e8edff'],
  ['#0f4c4a', '#2a9d8f', '#8ad1c2', '#f4a261', '#eafaf6'],
  ['#4a1942', '#a23b72', '#e8a0bf', '#f18f01', '#fdf0f6'],
  ['#26324d', '#5f7fb0', '#a9c4e4', '#e4572e', '#f3f7fc'],
] as const

const between = (least: number, most: number): number => randomInt(least, most + 1)

/** A landscape of hills, discs and lines, different each time. */
function scene(): string {
  const [deep, strong, soft, accent, light] = PALETTES[randomInt(PALETTES.length)]!
  const discs = Array.from({ length: 9 }, () => {
    const [x, y, radius] = [between(0, WIDTH), between(0, HEIGHT), between(8, 34)]
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${[strong, soft, accent, light][randomInt(4)]}" opacity="0.${between(35, 85)}"/>`
  })
  const hills = [soft, strong, deep].map((colour, at) => {
    const base = 84 + at * 26
    const [a, b, c] = [between(-30, 30), between(-34, 34), between(-26, 26)]
    return `<path d="M0 ${base + a}C${WIDTH / 4} ${base - 40 + b} ${WIDTH / 2} ${base + 40 + c} ${WIDTH} ${base - a}V${HEIGHT}H0z" fill="${colour}" opacity="0.88"/>`
  })
  const lines = Array.from({ length: 7 }, () => {
    const [x, y] = [between(0, WIDTH), between(0, HEIGHT)]
    return `<path d="M${x} ${y}q${between(-60, 60)} ${between(-50, 50)} ${between(-120, 120)} ${between(-30, 30)}" stroke="${light}" stroke-width="${between(1, 3)}" fill="none" opacity="0.6"/>`
  })
  const dots = Array.from(
    { length: 40 },
    () =>
      `<circle cx="${between(0, WIDTH)}" cy="${between(0, HEIGHT)}" r="${between(1, 3)}" fill="${randomInt(2) === 0 ? light : deep}" opacity="0.7"/>`,
  )
  return `<rect width="${WIDTH}" height="${HEIGHT}" fill="${light}"/><rect width="${WIDTH}" height="${HEIGHT}" fill="${soft}" opacity="0.5"/>${[...discs, ...hills, ...lines, ...dots].join('')}`
}

const svg = (width: number, height: number, inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`)
const address = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`

/** Data addresses of the scene with a gap, and of the piece that was cut out of it. */
export async function drawCaptcha(left: number, top: number): Promise<{ background: string; piece: string }> {
  const whole = await sharp(svg(WIDTH, HEIGHT, scene()))
    .png()
    .toBuffer()
  // A second, empty gap: who only looks for the edge of one finds the wrong one half of the time.
  const decoy = {
    left: left > WIDTH / 2 ? between(PIECE, left - PIECE) : between(left + PIECE, WIDTH - PIECE),
    top: between(8, HEIGHT - PIECE - 8),
  }
  const gap = svg(
    WIDTH,
    HEIGHT,
    `<path d="${SHAPE}" transform="translate(${left} ${top})" fill="#0b1024" fill-opacity="0.55" stroke="#fff" stroke-opacity="0.9" stroke-width="1.5"/>
     <g transform="translate(${decoy.left} ${decoy.top})"><path d="${SHAPE}" transform="rotate(180 26 26)" fill="#0b1024" fill-opacity="0.3"/></g>`,
  )
  const cut = await sharp(whole).extract({ left, top, width: PIECE, height: PIECE }).png().toBuffer()
  const mask = svg(PIECE, PIECE, `<path d="${SHAPE}" fill="#fff"/>`)
  const rim = svg(PIECE, PIECE, `<path d="${SHAPE}" fill="none" stroke="#fff" stroke-width="2"/>`)
  const [background, piece] = await Promise.all([
    sharp(whole)
      .composite([{ input: gap }])
      .webp({ quality: 82 })
      .toBuffer(),
    sharp(cut)
      .ensureAlpha()
      .composite([{ input: mask, blend: 'dest-in' }, { input: rim }])
      .png()
      .toBuffer(),
  ])
  return { background: address('webp', background), piece: address('png', piece) }
}

/** Draws the two pictures of a slide captcha; nothing is loaded from anywhere. */
import { randomBytes, randomInt } from 'node:crypto'
import sharp from 'sharp'

export const WIDTH = 360
export const HEIGHT = 160
/** Pixels of the piece's square, its knobs included. */
export const PIECE = 52
/** Gaps in a picture. The piece fits one of them. */
const GAPS = 4
/** Pixels between gaps, and between the last one and the edge. */
const SPACE = 6
/** Pixels at the top that the button for another picture covers. */
const BUTTON = 36
/** Largest deviation of a pixel's brightness from the drawing, up or down, of 255. */
const NOISE = 26

/** Options of pictures that only pass from one step to the next. */
const QUICKLY = { compressionLevel: 0 } as const

/** Knob of one side of a piece: 1 outwards, -1 inwards, 0 none. An outline lists the sides clockwise from the top. */
type Side = -1 | 0 | 1
type Outline = readonly [Side, Side, Side, Side]

const OUTLINES: Outline[] = ([-1, 0, 1] as const).flatMap((top) =>
  ([-1, 0, 1] as const).flatMap((right) =>
    ([-1, 0, 1] as const).flatMap((bottom) => ([-1, 0, 1] as const).map((left): Outline => [top, right, bottom, left])),
  ),
)
/** Extent of the body of a piece within its square, and radius of a knob, in pixels. */
const [BODY_FROM, BODY_TO, KNOB] = [9, 43, 7]

/** Corners of the body, clockwise from the upper left. */
const CORNERS = [
  [BODY_FROM, BODY_FROM],
  [BODY_TO, BODY_FROM],
  [BODY_TO, BODY_TO],
  [BODY_FROM, BODY_TO],
] as const

/** Return an outline as an SVG path. */
function pathOf(outline: Outline): string {
  const sides = outline.map((side, at) => {
    const [from, to] = [CORNERS[at]!, CORNERS[(at + 1) % 4]!]
    const along = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])] as const
    const half = (BODY_TO - BODY_FROM) / 2
    const pointAt = (distance: number): string => `${from[0] + along[0] * distance} ${from[1] + along[1] * distance}`
    const knob = side === 0 ? '' : `L${pointAt(half - 5)}A${KNOB} ${KNOB} 0 1 ${side === 1 ? 1 : 0} ${pointAt(half + 5)}`
    return `${knob}L${to[0]} ${to[1]}`
  })
  return `M${BODY_FROM} ${BODY_FROM}${sides.join('')}z`
}

const PALETTES = [
  ['#1f2a6b', '#4b5fd6', '#9db1ff', '#f0b429', '#e8edff'],
  ['#0f4c4a', '#2a9d8f', '#8ad1c2', '#f4a261', '#eafaf6'],
  ['#4a1942', '#a23b72', '#e8a0bf', '#f18f01', '#fdf0f6'],
  ['#26324d', '#5f7fb0', '#a9c4e4', '#e4572e', '#f3f7fc'],
] as const

const between = (least: number, most: number): number => randomInt(least, most + 1)

/** Return a landscape of hills, discs and lines as SVG, different each time. */
function scene(): string {
  const [deep, strong, soft, accent, light] = PALETTES[randomInt(PALETTES.length)]!
  const discs = Array.from({ length: 9 }, () => {
    const [x, y, radius] = [between(0, WIDTH), between(0, HEIGHT), between(8, 34)]
    const colour = [strong, soft, accent, light][randomInt(4)]
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}" opacity="0.${between(35, 85)}"/>`
  })
  const hills = [soft, strong, deep].map((colour, at) => {
    const base = 84 + at * 26
    const [a, b, c] = [between(-30, 30), between(-34, 34), between(-26, 26)]
    const outline = `M0 ${base + a}C${WIDTH / 4} ${base - 40 + b} ${WIDTH / 2} ${base + 40 + c} ${WIDTH} ${base - a}V${HEIGHT}H0z`
    return `<path d="${outline}" fill="${colour}" opacity="0.88"/>`
  })
  const lines = Array.from({ length: 7 }, () => {
    const [x, y] = [between(0, WIDTH), between(0, HEIGHT)]
    const curve = `M${x} ${y}q${between(-60, 60)} ${between(-50, 50)} ${between(-120, 120)} ${between(-30, 30)}`
    return `<path d="${curve}" stroke="${light}" stroke-width="${between(1, 3)}" fill="none" opacity="0.6"/>`
  })
  const dots = Array.from({ length: 40 }, () => {
    const [x, y, radius] = [between(0, WIDTH), between(0, HEIGHT), between(1, 3)]
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${randomInt(2) === 0 ? light : deep}" opacity="0.7"/>`
  })
  const background = (colour: string, more = ''): string => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colour}"${more}/>`
  return [background(light), background(soft, ' opacity="0.5"'), ...discs, ...hills, ...lines, ...dots].join('')
}

const svg = (width: number, height: number, inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`)
const address = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`

/** Return the elements in a random order. */
function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, key: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ one }) => one)
}

/** Return outlines that cannot be mistaken for one another: any two differ on at least two sides. */
function outlines(): Outline[] {
  const chosen: Outline[] = []
  for (const one of shuffled(OUTLINES)) {
    const isPlain = one.filter((side) => side !== 0).length < 2
    const isNear = chosen.some((other) => one.filter((side, at) => side !== other[at]).length < 2)
    if (!isPlain && !isNear) chosen.push(one)
    if (chosen.length === GAPS) break
  }
  return chosen
}

/** Return the distances of the gaps from the left in pixels. All gaps are right of the place where the piece begins. */
function places(): number[] {
  let spare = WIDTH - SPACE - (GAPS + 1) * (PIECE + SPACE)
  const all: number[] = []
  for (let at = 0, left = PIECE + SPACE; at < GAPS; at++, left += PIECE + SPACE) {
    const extra = randomInt(Math.floor((spare * 2) / (GAPS - at)) + 1)
    const taken = Math.min(extra, spare)
    spare -= taken
    left += taken
    all.push(left)
  }
  return all
}

/** Return a picture with noise of its own, so that no two pictures of the same scene are alike. */
async function noisy(picture: Buffer, width: number, height: number): Promise<Buffer> {
  const pixels = await sharp(picture).removeAlpha().raw().toBuffer()
  const random = randomBytes(width * height)
  for (const [at, byte] of random.entries()) {
    const off = Math.round((byte / 255 - 0.5) * 2 * NOISE)
    for (let channel = at * 3; channel < at * 3 + 3; channel++) pixels[channel] = Math.max(0, Math.min(255, pixels[channel]! + off))
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png(QUICKLY)
    .toBuffer()
}

export interface CaptchaPicture {
  /** Pixels from the left at which the piece fits. */
  left: number
  top: number
  /** Data addresses: the scene with its gaps, and the piece. */
  background: string
  piece: string
}

/**
 * Draw a scene with several gaps, equally dark and in one row, and a piece that fits only one of them. Another scene fills the gaps, so
 * that only the outline of a gap shows which one the piece was cut from.
 */
export async function drawCaptcha(): Promise<CaptchaPicture> {
  const top = randomInt(BUTTON, HEIGHT - PIECE - SPACE)
  const [paths, lefts, fitting] = [outlines().map(pathOf), places(), randomInt(GAPS)]
  const [left, path] = [lefts[fitting]!, paths[fitting]!]
  const [whole, other] = await Promise.all(
    [scene(), scene()].map((drawn) =>
      sharp(svg(WIDTH, HEIGHT, drawn))
        .png(QUICKLY)
        .toBuffer(),
    ),
  )
  const drawn = (attributes: string): Buffer =>
    svg(WIDTH, HEIGHT, paths.map((one, at) => `<path d="${one}" transform="translate(${lefts[at]!} ${top})" ${attributes}/>`).join(''))
  const inside = await sharp(other)
    .ensureAlpha()
    .composite([
      { input: svg(WIDTH, HEIGHT, '<rect width="100%" height="100%" fill="#0b1024" fill-opacity="0.62"/>') },
      { input: drawn('fill="#fff"'), blend: 'dest-in' },
    ])
    .png(QUICKLY)
    .toBuffer()
  const withGaps = await sharp(whole!)
    .composite([{ input: inside }, { input: drawn('fill="none" stroke="#fff" stroke-opacity="0.9" stroke-width="1.5"') }])
    .png(QUICKLY)
    .toBuffer()
  const cut = await sharp(whole!).extract({ left, top, width: PIECE, height: PIECE }).png(QUICKLY).toBuffer()
  const mask = svg(PIECE, PIECE, `<path d="${path}" fill="#fff"/>`)
  const rim = svg(PIECE, PIECE, `<path d="${path}" fill="none" stroke="#fff" stroke-width="2"/>`)
  const [background, piece] = await Promise.all([
    sharp(await noisy(withGaps, WIDTH, HEIGHT))
      .webp({ quality: 82 })
      .toBuffer(),
    sharp(await noisy(cut, PIECE, PIECE))
      .ensureAlpha()
      .composite([{ input: mask, blend: 'dest-in' }, { input: rim }])
      .png()
      .toBuffer(),
  ])
  return { left, top, background: address('webp', background), piece: address('png', piece) }
}

/** Spectacles: frames, what they reflect and the shadow they throw. */
import { draw } from './canvas.ts'
import type { Canvas } from './canvas.ts'
import { colour, times } from './colour.ts'
import type { Colour } from './colour.ts'
import type { Place } from './place.ts'
import { mix, smooth } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { HeadInPicture } from './skin.ts'
import type { Glasses, Traits } from './traits.ts'

interface Frame {
  /** Half width and half height of a lens, millimetres, and how square it is: 2 an ellipse, more squarer. */
  wide: number
  high: number
  square: number
  /** Millimetres of the rim above and below. */
  top: number
  bottom: number
  tone: Colour
}

const FRAMES: Readonly<Record<Exclude<Glasses, 'none'>, Frame>> = {
  round: { wide: 23, high: 21, square: 2.2, top: 1.3, bottom: 1.1, tone: colour('#5a4630') },
  square: { wide: 25, high: 17.5, square: 4, top: 2.4, bottom: 1.7, tone: colour('#17161a') },
  rimless: { wide: 24.5, high: 16.5, square: 3.2, top: 0.75, bottom: 0.5, tone: colour('#6d7076') },
  browline: { wide: 25, high: 18, square: 3.2, top: 2.9, bottom: 0.8, tone: colour('#2b211c') },
}

/** Pieces of the outline of a lens. */
const PIECES = 64

export function paintGlasses(on: Canvas, face: HeadInPicture, place: Place, { glasses, eyeSpacing, cheekWidth }: Traits): void {
  if (glasses === 'none') return
  const { wide, high, square, top, bottom, tone } = FRAMES[glasses]
  const middle = Math.max(eyeSpacing + 1.5, wide + 6)
  const at = (x: number, y: number) => face.toPicture(x, y)
  const rim = (side: number, turn: number): Point => {
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    const power = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / square)
    return at(side * (middle + wide * power(cos)), 3 + high * power(sin))
  }
  const shadow = (points: readonly Point[], width: number) =>
    draw(on, { points: points.map(({ x, y }) => ({ x: x + 2, y: y + 4 })), width: () => width, paint: () => [0.16, 0.07, 0.045, 0.16] })
  for (const side of [-1, 1]) {
    const outline = Array.from({ length: PIECES + 1 }, (_, i) => rim(side, (i / PIECES) * Math.PI * 2))
    const temple = [
      at(side * (middle + wide - 0.5), -3),
      at(side * (cheekWidth - 3), -5),
      place.toPicture({ x: side * (cheekWidth + 2), y: -6 }),
    ]
    shadow(outline, 4)
    shadow(outline, 2)
    const thickness = (share: number) => mix(top, bottom, smooth(0.42, 0.58, 0.5 + 0.5 * Math.sin(share * Math.PI * 2))) * place.scale
    for (const line of [
      { points: temple, width: () => Math.max(top, 1.2) * place.scale },
      { points: outline, width: thickness },
    ])
      draw(on, { ...line, paint: () => [...tone, 0.94] })
    const gleam = times(tone, 1)
    draw(on, {
      points: outline.map(({ x, y }) => ({ x: x - 0.5, y: y - 0.6 })),
      width: (share) => thickness(share) * 0.4,
      paint: (share) => [gleam[0] + 0.4, gleam[1] + 0.4, gleam[2] + 0.42, 0.32 * Math.max(0, Math.cos((share - 0.64) * Math.PI * 2))],
    })
  }
  const bridge = Array.from({ length: 9 }, (_, i) => {
    const share = i / 4 - 1
    return at(share * (middle - wide + 0.6), -2 - 2.6 * (1 - share * share))
  })
  shadow(bridge, 2.5)
  draw(on, { points: bridge, width: () => Math.max(top * 0.9, 1.2) * place.scale, paint: () => [...tone, 0.94] })
}

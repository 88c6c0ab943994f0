/** A whole portrait, from the backdrop forwards. */
import { paintBackdrop } from './backdrop.ts'
import { HEIGHT, PIXELS, WIDTH, blurred, canvas, layCanvas, plane } from './canvas.ts'
import type { Plane } from './canvas.ts'
import { paintClothes } from './clothes.ts'
import { shown } from './colour.ts'
import { paintEars } from './ears.ts'
import { paintEyes } from './eyes.ts'
import { paintBrows, paintNoseAndMouth } from './features.ts'
import { paintGlasses } from './glasses.ts'
import { paintHair } from './hair.ts'
import { cutOf } from './hair-cuts.ts'
import { headOf } from './head.ts'
import { lightOf } from './light.ts'
import { headShadow, paintNeck } from './neck.ts'
import { placeOf } from './place.ts'
import { randomOf } from './random.ts'
import type { Point } from './shapes.ts'
import type { Shot } from './shot.ts'
import { headInPicture, paintHead } from './skin.ts'
import type { Traits } from './traits.ts'

/** @param seed what single hairs and the like are drawn from @returns red, green and blue of each pixel, row by row */
export function drawPortrait(traits: Traits, shot: Shot, seed: string): Uint8Array {
  const on = canvas()
  const place = placeOf(shot, shot.lean)
  const body = placeOf({ ...shot, shiftY: shot.shiftY - 8 }, 0)
  const light = lightOf(shot.light)
  const face = headInPicture(headOf(traits, shot), place, shot)
  const cut = cutOf(traits)
  const hair = {
    hair: traits.hair,
    toPicture: ({ x, y }: Point) => place.toPicture({ x: x + shot.turn * 24, y }),
    scale: place.scale,
    light,
    random: randomOf(`hairs ${seed}`),
  }
  const front = canvas()
  paintHair(front, cut.front, hair)
  const onBody = headShadow(face.inside, place.scale)

  paintBackdrop(on, shot)
  paintHair(on, cut.behind, hair)
  paintNeck(on, body, traits, light, onBody)
  paintClothes(on, body, traits, shot, light, onBody)
  const onFace = hairShadow(front.cover)
  if (cut.ears) paintEars(on, place, traits, shot, light, onFace)
  paintHead(on, face, place, traits, shot, light, onFace, seed)
  paintNoseAndMouth(on, face, traits, shot)
  paintEyes(on, face, traits, shot)
  paintBrows(on, face, traits, place, seed)
  layCanvas(on, front)
  paintGlasses(on, face, place, traits)
  return developed(on, shot.grain)
}

/** The shadow hair throws on the skin below it: to the lower right, away from the lamp, and close around its edges. */
function hairShadow(cover: Plane): Plane {
  const [near, far] = [blurred(cover, 3), blurred(cover, 8)]
  const shadow = plane()
  for (let y = 8; y < HEIGHT; y++) {
    for (let x = 5; x < WIDTH; x++) {
      const at = y * WIDTH + x
      shadow[at] = Math.min(1, near[at - 3 * WIDTH - 2]! * 0.6 + far[at - 8 * WIDTH - 5]! * 0.55)
    }
  }
  return shadow
}

/** A camera's noise in levels of tone, read from another place for each photograph. Its length is no multiple of a row. */
const NOISE = (() => {
  const random = randomOf('noise')
  return Float32Array.from({ length: 40_009 }, () => (random.next() + random.next() - 1) * 5)
})()

/** As a camera gives it: tones for a screen, a little noise. Without noise a drawn face is too smooth to pass for sharp. */
function developed({ red, green, blue }: ReturnType<typeof canvas>, grain: string): Uint8Array {
  const start = Math.floor(randomOf(grain).next() * NOISE.length)
  const out = new Uint8ClampedArray(PIXELS * 3)
  for (let at = 0; at < PIXELS; at++) {
    const noise = NOISE[(start + at) % NOISE.length]!
    out[at * 3] = shown(red[at]!) + noise
    out[at * 3 + 1] = shown(green[at]!) + noise
    out[at * 3 + 2] = shown(blue[at]!) + noise
  }
  return new Uint8Array(out.buffer)
}

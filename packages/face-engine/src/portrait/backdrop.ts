/** The paper behind the person, out of focus: brighter behind a shoulder, darker towards the corners. */
import { HEIGHT, WIDTH } from './canvas.ts'
import type { Canvas } from './canvas.ts'
import { colour } from './colour.ts'
import { clamp, mix } from './shapes.ts'
import type { Shot } from './shot.ts'

export function paintBackdrop(on: Canvas, { backdrop: [bright, dim] }: Shot): void {
  const [near, far] = [colour(bright), colour(dim)]
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const away = ((x - 250) / 330) ** 2 + ((y - 210) / 400) ** 2
      const share = clamp(away * 0.95)
      const at = y * WIDTH + x
      on.red[at] = mix(near[0], far[0], share)
      on.green[at] = mix(near[1], far[1], share)
      on.blue[at] = mix(near[2], far[2], share)
      on.cover[at] = 1
    }
  }
}

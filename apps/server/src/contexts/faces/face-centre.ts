/** The position of a photograph's face, by which it is found again among several faces. */
import type { PhotoAnalysis } from '@gatehouse/face-engine'

/** The position stored with a photograph, so that its face is found again among several. */
export interface FaceCentre {
  /** Share of the picture's width and height, 0 to 1. */
  x: number
  y: number
}

export const centreOf = (
  { x, y, width, height }: PhotoAnalysis['faces'][number]['box'],
  photo: { width: number; height: number },
): FaceCentre => ({
  x: (x + width / 2) / photo.width,
  y: (y + height / 2) / photo.height,
})

/**
 * Return the index of the face that was chosen when the photograph was uploaded; undefined where there is only one face or its
 * position was not stored.
 */
export function indexOfChosen(analysis: PhotoAnalysis, quality: unknown): number | undefined {
  const centre = (quality as { centre?: FaceCentre } | null)?.centre
  if (centre === undefined || analysis.faces.length < 2) return undefined
  const away = analysis.faces.map(({ box }) => {
    const { x, y } = centreOf(box, analysis)
    return Math.hypot((x - centre.x) * analysis.width, (y - centre.y) * analysis.height)
  })
  return away.indexOf(Math.min(...away))
}

/** What a camera looks at: zones, masks, and the faces that are worth a capture. Stored in `capture.json` of the data folder. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Box, Point } from '@gatehouse/face-engine'
import { writeWhole } from '../settings/whole-file.ts'
import { centreOf, isInside, type Size } from './geometry.ts'

/** Corners of a polygon, as parts of width and height of the picture. */
const polygon = z
  .array(z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }))
  .min(3)
  .max(32)
const polygons = z.array(polygon).max(16)

export const captureSettingValues = z.object({
  /** Only faces whose centre lies in one of them count; none: all count. */
  zones: polygons,
  /** Faces whose centre lies in one of them do not count. */
  masks: polygons,
  /** Pixels of the shorter side from which a face is captured. */
  leastFaceSize: z.number().int().min(20).max(1_000),
  /** Quality from which a face is captured, 0 to 1. */
  leastQuality: z.number().min(0).max(1),
})
export type CaptureSettings = z.output<typeof captureSettingValues>

export interface KeptCaptureSettings {
  current(): CaptureSettings
  /** Change the fields given. They are on the disk when this returns. @throws Error when they cannot be written */
  set(change: Partial<CaptureSettings>): void
}

const FILE = 'capture.json'
export const DEFAULTS: CaptureSettings = { zones: [], masks: [], leastFaceSize: 36, leastQuality: 0.3 }

/** Open the settings of a data folder. A value that cannot be read is the default and is logged; fields of later versions are kept. */
export function openCaptureSettings(folder: string, log: (sentence: string) => void): KeptCaptureSettings {
  const file = join(folder, FILE)
  let stored = readStored(file, log)
  let current = valuesOf(stored, log)
  return {
    current: () => current,
    set(change) {
      const next = { ...stored, ...change }
      writeWhole(file, JSON.stringify(next, null, 2))
      stored = next
      current = valuesOf(stored, log)
    },
  }
}

function readStored(file: string, log: (sentence: string) => void): Record<string, unknown> {
  if (!existsSync(file)) return {}
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    log(`${file} cannot be read: the camera looks at the whole picture.`)
    return {}
  }
}

function valuesOf(stored: Record<string, unknown>, log: (sentence: string) => void): CaptureSettings {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(captureSettingValues.shape)) {
    if (!Object.hasOwn(stored, name)) continue
    const read = schema.safeParse(stored[name])
    if (read.success) values[name] = read.data
    else log(`The setting ${name} of the camera cannot be read and is the default.`)
  }
  return { ...DEFAULTS, ...values }
}

/** Return whether a face counts by the zones and masks. @param picture size of the picture that the box lies in */
export function isWatched(box: Box, picture: Size, { zones, masks }: Pick<CaptureSettings, 'zones' | 'masks'>): boolean {
  const { x, y } = centreOf(box)
  const centre: Point = { x: x / picture.width, y: y / picture.height }
  const isIn = (corners: readonly Point[]) => isInside(centre, corners)
  return (zones.length === 0 || zones.some(isIn)) && !masks.some(isIn)
}

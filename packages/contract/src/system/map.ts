/** The map of a park: its plan, or its location (module M04). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { changeOf } from '../schema.ts'

const call = callsOf('system')

export const MAP_UNITS = ['metric', 'imperial'] as const
export const MAP_ZOOM_MIN = 1
export const MAP_ZOOM_MAX = 20

export const mapFields = z.object({
  /** The plan: the address that `POST /upload/image` returned, or that is shown now; empty: none. */
  picture: z.string().max(1000).default(''),
  /** Width of the area on the plan in metres, whatever unit is shown; null: unknown. */
  pictureMetres: z.number().min(1).max(100_000).nullable(),
  /** Latitude and longitude in degrees; both or neither. */
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  zoom: z.number().int().min(MAP_ZOOM_MIN).max(MAP_ZOOM_MAX),
  units: z.enum(MAP_UNITS),
  /** Position of the park's entrance on the plan: fractions of its width and height from the upper left corner. */
  marker: z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }).nullable(),
})
export type MapFields = z.output<typeof mapFields>

export const mapSettings = mapFields.extend({ version: z.number().int() })
export type MapSettings = z.output<typeof mapSettings>

export const mapCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/system/map/settings',
    permission: 'system.map',
    summary: 'Plan, centre and units of the current park’s map.',
    data: mapSettings,
    origin: 'own',
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/system/map/settings',
    permission: 'system.map',
    summary: 'Sets plan, centre and units of the current park’s map.',
    body: changeOf(mapFields).extend({ version: z.number().int().optional() }),
    data: mapSettings,
    origin: 'own',
  }),
}

/** Settings of a park's data screens (module M04). */
import { z } from 'zod'
import { accessRecord } from '../records/calls.ts'
import { callsOf } from '../call.ts'
import { changeOf } from '../schema.ts'
import { SCREEN_PASSAGES, SCREEN_REFRESH_MAX, SCREEN_REFRESH_MIN } from '../limits.ts'

const call = callsOf('system')

/** Parts of the data screen, in the order in which forms offer them. */
export const SCREEN_BLOCKS = ['figures', 'curve', 'people', 'devices', 'latest'] as const
export const screenBlock = z.enum(SCREEN_BLOCKS)
export type ScreenBlock = z.output<typeof screenBlock>
export const SCREEN_THEMES = ['night', 'day', 'ink'] as const

export const screenFields = z.object({
  /** Title of the screen; empty: the park's name. */
  title: z.string().trim().max(32),
  subtitle: z.string().trim().max(64),
  /** Seconds between two updates; live events are shown at once. */
  refreshSeconds: z.number().int().min(SCREEN_REFRESH_MIN).max(SCREEN_REFRESH_MAX),
  blocks: z.array(screenBlock).min(1),
  theme: z.enum(SCREEN_THEMES),
  /** Background: the address that `POST /upload/image` returned, or that is shown now; empty: none. */
  background: z.string().max(1000).default(''),
})
export type ScreenFields = z.output<typeof screenFields>

export const screenSettings = screenFields.extend({ version: z.number().int() })
export type ScreenSettings = z.output<typeof screenSettings>

export const screenCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/system/screen/settings',
    permission: 'self',
    dataScreen: true,
    summary: 'What the data screens of the current park show.',
    data: screenSettings,
    origin: 'own',
  }),
  passages: call({
    method: 'GET',
    service: 'biz',
    path: '/system/screen/passages',
    permission: 'access.record',
    dataScreen: true,
    summary: 'The newest passages of the current park, as many as a data screen holds; nothing older can be asked for by it.',
    data: z.array(accessRecord).max(SCREEN_PASSAGES),
    origin: 'own',
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/system/screen/settings',
    permission: 'system.screen',
    summary: 'Sets what the data screens of the current park show.',
    body: changeOf(screenFields).extend({ version: z.number().int().optional() }),
    data: screenSettings,
    origin: 'own',
  }),
}

/** Settings of the data screens of a park. */
import { z } from 'zod'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { SCREEN_PASSAGES } from '@gatehouse/contract/limits'
import { SCREEN_BLOCKS, screenCalls, screenFields, type ScreenSettings } from '@gatehouse/contract/system/screens'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { createParkPicture } from './screens-pictures.ts'

const stored = screenFields.omit({ background: true }).extend({ backgroundId: z.string().nullable() })
const setting = defineSetting<z.output<typeof stored>>('system.screens', stored, {
  title: '',
  subtitle: '',
  refreshSeconds: 30,
  blocks: [...SCREEN_BLOCKS],
  theme: 'night',
  backgroundId: null,
})

/** The newest passages of a park, the newest first. */
export type NewestPassages = (scope: Scope, count: number) => Promise<AccessRecord[]>

export function screenHandlers(platform: Platform, settings: Settings, newestPassages: NewestPassages): MountedCall[] {
  const picture = createParkPicture(platform)

  function show(scope: Scope): ScreenSettings {
    const { backgroundId, secretsSet: _none, ...shown } = settings.show(scope.parkId, setting)
    return { ...shown, background: picture.address(scope, backgroundId) }
  }

  return [
    handler(screenCalls.read, async ({ scope }) => show(scope)),
    handler(screenCalls.passages, ({ scope }) => newestPassages(scope, SCREEN_PASSAGES)),
    handler(screenCalls.change, async ({ scope, body: { version, background, ...fields } }) => {
      const before = settings.read(scope.parkId, setting).backgroundId
      const backgroundId = background === undefined ? before : await picture.fileOf(scope, background, 'background')
      await picture.exchange(scope, before, backgroundId, () =>
        settings.write(scope.parkId, setting, { ...fields, blocks: fields.blocks && [...new Set(fields.blocks)], backgroundId }, version),
      )
      return show(scope)
    }),
  ]
}

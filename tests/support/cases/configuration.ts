import type { Call } from '@gatehouse/contract'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { flatPng } from '../pictures.ts'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let samples = 0

async function template({ site }: Ground): Promise<string> {
  return (
    await site.call(configurationCalls.addTemplate, {
      body: { name: `Setting${++samples}`, deviceType: 3, model: 4, settings: { volume: 30 } },
    })
  ).id
}

/** Store a screen saver. */
async function file({ site }: Ground): Promise<string> {
  return (await site.call(configurationCalls.upload, { body: { kind: 'screenSaver' }, file: flatPng(16, 16) })).id
}

const withTemplate: CallCase['given'] = async (ground) => ({ id: await template(ground) })
const copying: CallCase['given'] = async (ground) => ({
  from: 'template',
  fromId: await template(ground),
  deviceIds: [(await ground.site.device()).id],
  groupId: (await ground.site.deviceGroup()).id,
})

export const cases: readonly CallCase[] = [
  { call: configurationCalls.template, given: withTemplate },
  { call: configurationCalls.changeTemplate, given: withTemplate },
  { call: configurationCalls.deleteTemplates, given: async (ground) => ({ ids: [await template(ground)] }) },
  { call: configurationCalls.copyPreview, given: copying },
  { call: configurationCalls.copy, given: copying },
  // A drawn face is not a sound.
  { call: configurationCalls.upload, lastWord: [400, 400] },
  { call: configurationCalls.file, given: async (ground) => ({ id: await file(ground) }) },
  {
    call: configurationCalls.deviceFile,
    // The settings of every device of the park name the file.
    async given(ground) {
      const id = await file(ground)
      await ground.site.call(configurationCalls.changePark, { body: { settings: { screenSaver: id } } })
      return { id }
    },
  },
]

/** What the parameters of screens name. */
export const screens = {
  deviceConfigDetail: { id: ({ device }) => device.id },
} satisfies ScreenParameters

/** A list shows at least one row of what these calls read. */
export const listed: readonly Call[] = [configurationCalls.template]

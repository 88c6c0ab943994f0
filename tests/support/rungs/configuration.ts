import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { flatPng } from '../pictures.ts'
import type { Ground, Rung } from './rungs.ts'

let samples = 0

async function template({ site }: Ground): Promise<string> {
  return (
    await site.call(configurationCalls.addTemplate, {
      body: { name: `Setting${++samples}`, deviceType: 3, model: 4, settings: { volume: 30 } },
    })
  ).id
}

/** A screen saver that somebody stored. */
async function file({ site }: Ground): Promise<string> {
  return (await site.call(configurationCalls.upload, { body: { kind: 'screenSaver' }, file: flatPng(16, 16) })).id
}

const withTemplate: Rung['given'] = async (ground) => ({ id: await template(ground) })
const copying: Rung['given'] = async (ground) => ({
  from: 'template',
  fromId: await template(ground),
  deviceIds: [(await ground.site.device()).id],
  groupId: (await ground.site.deviceGroup()).id,
})

export const configurationRungs: readonly Rung[] = [
  { call: configurationCalls.template, given: withTemplate },
  { call: configurationCalls.changeTemplate, given: withTemplate },
  { call: configurationCalls.deleteTemplates, given: async (ground) => ({ ids: [await template(ground)] }) },
  { call: configurationCalls.copyPreview, given: copying },
  { call: configurationCalls.copy, given: copying },
  // A drawn face is no sound.
  { call: configurationCalls.upload, lastWord: [400, 400] },
  { call: configurationCalls.file, given: async (ground) => ({ id: await file(ground) }) },
  {
    call: configurationCalls.deviceFile,
    // Whichever device of the park asks, its settings name the file.
    async given(ground) {
      const id = await file(ground)
      await ground.site.call(configurationCalls.changePark, { body: { settings: { screenSaver: id } } })
      return { id }
    },
  },
]

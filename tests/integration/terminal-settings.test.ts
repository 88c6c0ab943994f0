/** A real terminal follows the settings made through the server's calls. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { startWorld, type MadeDevice, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { sound } from '../../apps/server/src/contexts/configuration/testing/files.ts'
import { flatPng } from '../support/pictures.ts'
import { until } from '../support/until.ts'

const { add, changeDisplay, upload } = configurationCalls

let world: World
let device: MadeDevice
let terminal: WorldTerminal
beforeAll(async () => {
  world = await startWorld()
  device = await world.device({ name: 'East gate' })
  terminal = await world.terminal(device, { pins: 'simulated', door: { open: async () => {}, close: async () => {} }, doorOpenFor: 60_000 })
})
afterAll(async () => {
  await terminal?.stop()
  await world?.stop()
})

test('settings of the device, and of its park, hold at the terminal and say where they come from', async () => {
  await world.call(add, {
    body: {
      deviceId: device.id,
      settings: { promptText: '请佩戴工牌', volume: 35, restartInterval: 7, timeZone: 345, gpioTypes: ['exitButton'] },
    },
  })
  await world.call(changeDisplay, { body: { displayFields: ['name', 'time'] } })
  const { settings, zone } = await until('the terminal to follow', () => {
    const state = terminal.state()
    return state.settings.values.volume === 35 && state.settings.values.displayFields.length === 2 ? state : null
  })
  expect(settings.values).toMatchObject({ promptText: '请佩戴工牌', restartInterval: 7, displayFields: ['name', 'time'] })
  expect(settings.sources).toMatchObject({ promptText: 'server', displayFields: 'server', ntpServer: 'builtIn' })
  expect(zone).toBe('+05:45')
  await fetch(`${terminal.url}pins/0`, { method: 'PUT', body: '1' })
  await until('the exit button to open the door', () => terminal.state().door === 'opened')
})

test('sound and picture uploaded for the device are played and shown by the terminal, byte for byte', async () => {
  const [voice, picture] = [sound(), flatPng(64, 40)]
  const [voiceFile, screenSaver] = await Promise.all([
    world.call(upload, { body: { kind: 'voice' }, file: voice }),
    world.call(upload, { body: { kind: 'screenSaver' }, file: picture }),
  ])
  await world.call(add, {
    body: { deviceId: device.id, settings: { voiceFile: voiceFile.id, screenSaver: screenSaver.id, screenSaverAfter: 60 } },
  })
  const files = await until('the files to be here', () => {
    const at = terminal.state().files
    return at.voice !== null && at.screenSaver !== null ? at : null
  })
  const bytesAt = async (path: string) => Buffer.from(await (await fetch(new URL(path, terminal.url))).arrayBuffer())
  expect((await bytesAt(files.voice!)).equals(voice)).toBe(true)
  expect((await bytesAt(files.screenSaver!)).equals(picture)).toBe(true)
})

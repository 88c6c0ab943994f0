/**
 * A terminal whose server, or connection, is controlled by an attacker: whatever upgrade it receives, with a correct MD5 and the approval
 * of two people, it runs only what was signed with the key of its installation.
 */
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { forceUpgrade, packageOf, saveVersion } from '@gatehouse/dev-env/packages'
import { startWorld, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { openInstallation } from '../../apps/terminal/src/upgrade/installation.ts'
import { readPointer } from '../../apps/terminal/src/upgrade/pointer.ts'
import { KEY_FILE } from '../../apps/terminal/src/upgrade/trust.ts'
import { installation, WORKS } from '../support/terminal-installation.ts'
import { until } from '../support/until.ts'

let world: World
let second: Client
beforeAll(async () => {
  world = await startWorld()
  const organisationId = world.server.contexts.organisation.service.root().id
  second = await world.session({ roleSign: 'operator', organisationId })
})
afterAll(() => world?.stop())

let number = 100
const next = () => String(++number)
const STRANGER = generateKeyPairSync('ed25519').privateKey

/** Start a terminal of an installation that runs version 7; `restarts` counts how often it would have been restarted. */
async function terminalOf(root: string): Promise<{ terminal: WorldTerminal; restarts(): number }> {
  let restarts = 0
  const terminal = await world.terminal(undefined, {
    version: '7',
    upgrades: { place: openInstallation(root, () => restarts++), proven: Promise.resolve() },
  })
  return { terminal, restarts: () => restarts }
}

/** Force a package upon a terminal. @returns the outcome */
async function outcomeOf({ device }: WorldTerminal, versionNumber: string, bytes: Buffer, kind: 'client' | 'algorithm' = 'client') {
  const { id: versionId } = await saveVersion(world.client, { kind, versionNumber, content: kind }, bytes)
  const id = await forceUpgrade(world.client, second, { versionId, deviceIds: [device.id] })
  const rows = async () => (await world.call(upgradeCalls.taskDevices, { params: { id }, query: {} })).content
  return { id, reason: async () => until('it to fail', async () => (await rows())[0]!.reason ?? false), rows }
}

test('a package that somebody else signed does not run, and the upgrade says so', async () => {
  const { root } = await installation()
  const { terminal, restarts } = await terminalOf(root)
  for (const kind of ['client', 'algorithm'] as const) {
    const versionNumber = next()
    const bytes = packageOf({ kind, versionNumber, entry: 'main.mjs' }, { 'main.mjs': WORKS('forged') }, { signedBy: STRANGER })
    expect(await (await outcomeOf(terminal, versionNumber, bytes, kind)).reason()).toBe('signature')
  }
  expect([readPointer(root), restarts()]).toMatchObject([{ client: { versionNumber: '7' }, algorithm: null, trial: null }, 0])
  expect(readdirSync(join(root, 'client'))).toEqual(['7'])

  const versionNumber = next()
  await outcomeOf(terminal, versionNumber, packageOf({ versionNumber, entry: 'main.mjs' }, { 'main.mjs': WORKS(versionNumber) }))
  await until('the one that is signed to be put in place', () => restarts() === 1)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber, previous: '7' }, trial: { kind: 'client' } })
})

test('a terminal that was never given a key refuses every upgrade from the server, and fetches nothing', async () => {
  const { root } = await installation()
  rmSync(join(root, KEY_FILE))
  const { terminal, restarts } = await terminalOf(root)
  const versionNumber = next()
  const bytes = packageOf({ versionNumber, entry: 'main.mjs' }, { 'main.mjs': WORKS(versionNumber) })
  const outcome = await outcomeOf(terminal, versionNumber, bytes)
  expect(await outcome.reason()).toBe('key')
  expect(await outcome.rows()).toMatchObject([{ state: 'failed', progress: 0 }])
  expect([readPointer(root), restarts()]).toMatchObject([{ client: { versionNumber: '7' }, trial: null }, 0])
})

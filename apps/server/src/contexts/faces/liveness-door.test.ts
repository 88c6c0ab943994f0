/**
 * Liveness at the door, end to end: a trial records the score and opens, `on` refuses below the threshold, and an engine without a liveness
 * model refuses all people.
 */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { accessResult, failReason } from '@gatehouse/contract/enums'
import { facePolicyCalls, type LivenessMode } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type MadePerson, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { FacePool, engineOf } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'

const photographs = openPhotographs()

describe.skipIf(!hasTestingModels || photographs.kind !== 'real')('a living face at the door', () => {
  let folder: string
  let pools: { onnx: FacePool; builtin: FacePool }
  let world: World
  let person: MadePerson
  let telling: WorldTerminal
  let blind: WorldTerminal
  /** How often each door was opened. */
  const opened = { telling: 0, blind: 0 }
  const lockOf = (door: keyof typeof opened) => ({ open: async () => void opened[door]++, close: async () => {} })
  const photo = (number: number) => photographs.person('colin_powell').photo(number)

  beforeAll(async () => {
    folder = testingModelDir()
    pools = { onnx: new FacePool({ engine: await engineOf(folder), workers: 1 }), builtin: new FacePool({ workers: 1 }) }
    world = await startWorld({ facePool: pools.onnx })
    telling = await world.terminal(undefined, { pool: pools.onnx, door: lockOf('telling'), doorOpenFor: 1 })
    blind = await world.terminal(undefined, { pool: pools.builtin, door: lockOf('blind'), doorOpenFor: 1 })
    person = await world.person({ photo: await photo(1), permittedAt: [telling.device, blind.device] })
    await world.settled()
  })
  afterAll(async () => {
    await world?.stop()
    await Promise.all([pools?.onnx.close(), pools?.builtin.close()])
    if (folder) rmSync(folder, { recursive: true })
  })

  /** Change the setting; it is in force at both doors on return. */
  async function set(mode: LivenessMode, threshold: number | null): Promise<void> {
    const { photosWanted, margin, lookAlikeMargin } = await world.call(facePolicyCalls.read, {})
    await world.call(facePolicyCalls.change, {
      body: { ...DEFAULT_PROMISES, photosWanted, margin, lookAlikeMargin, liveness: { mode, threshold } },
    })
    await world.settled()
  }

  /** Show the person to a door, and read what the server stores about it. */
  async function pass(door: keyof typeof opened) {
    const before = opened[door]
    const verdict = await (door === 'telling' ? telling : blind).show(await photo(2))
    await world.settled()
    const { result, failReason: reason, checks, personId } = await world.call(recordCalls.read, { params: { id: verdict.recordId! } })
    return {
      verdict: verdict.verdict,
      personId,
      result,
      reason,
      opened: opened[door] - before,
      liveness: checks.find(({ code }) => code === 'liveness'),
    }
  }
  const allowed = { verdict: 'allowed', result: accessResult.allowed, reason: null, opened: 1 }
  const refused = { verdict: 'rejected', result: accessResult.rejected, reason: failReason.livenessCheckFailed, opened: 0 }

  test('is not looked for unless somebody wishes', async () => {
    for (const door of ['telling', 'blind'] as const)
      expect(await pass(door)).toEqual({ ...allowed, personId: person.id, liveness: undefined })
  })

  test('in a trial the record carries the score and the door opens; the terminal that cannot tell records none', async () => {
    await set('trial', 0.99)
    const { liveness, ...passage } = await pass('telling')
    expect(passage).toEqual({ ...allowed, personId: person.id })
    expect(liveness).toMatchObject({ code: 'liveness', ok: true, threshold: null })
    expect(liveness!['score']).toBeGreaterThan(0)
    expect(liveness!['score']).toBeLessThan(1)
    expect(await pass('blind')).toEqual({ ...allowed, personId: person.id, liveness: undefined })
  })

  test('when it is on, a face below the threshold is refused with 17, one above it passes', async () => {
    await set('trial', null)
    const score = (await pass('telling')).liveness!['score'] as number
    const [above, below] = [Math.min(1, score + 0.001), Math.max(0, score - 0.001)]
    await set('on', above)
    expect(await pass('telling')).toMatchObject({ ...refused, liveness: { ok: false, score, threshold: expect.closeTo(above, 4) } })
    await set('on', below)
    expect(await pass('telling')).toMatchObject({
      ...allowed,
      personId: person.id,
      liveness: { ok: true, score, threshold: expect.closeTo(below, 4) },
    })
  })

  test('a terminal whose engine cannot tell refuses everybody while it is on', async () => {
    await set('on', 0.01)
    expect(await pass('blind')).toMatchObject({ ...refused, liveness: { ok: false, score: null, threshold: 0.01 } })
    expect(await pass('telling')).toMatchObject({ ...allowed, personId: person.id })
    await set('off', null)
    expect(await pass('blind')).toEqual({ ...allowed, personId: person.id, liveness: undefined })
  })
})

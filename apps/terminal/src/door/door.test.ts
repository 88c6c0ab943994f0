import { expect, onTestFinished, test } from 'vitest'
import { createDoor, type DoorOutput, type DoorState } from './door.ts'
import { until } from '../device/testing/folder.ts'

/** A lock whose movements end when the test says so. */
function manualLock() {
  const movements: { kind: 'open' | 'close'; end: () => void; fail: () => void }[] = []
  const move = (kind: 'open' | 'close') =>
    new Promise<void>((resolve, reject) => movements.push({ kind, end: resolve, fail: () => reject(new Error('jammed')) }))
  const output: DoorOutput = { open: () => move('open'), close: () => move('close') }
  return { output, movements }
}

function doorWith(output: DoorOutput, openFor: number) {
  const states: DoorState[] = []
  const sentences: string[] = []
  const door = createDoor({ output, openFor, onChange: (state) => states.push(state), log: (sentence) => sentences.push(sentence) })
  onTestFinished(() => door.stop())
  return { door, states, sentences }
}

const instant: DoorOutput = { open: async () => {}, close: async () => {} }

test('opens for a passage and closes by itself', async () => {
  const { door, states } = doorWith(instant, 20)
  door.letThrough()
  await until('the door is closed again', () => states.at(-1) === 'closed')
  expect(states).toEqual(['opening', 'opened', 'closing', 'closed'])
})

test('normally open stays open through passages, until it is closed', async () => {
  const { door, states } = doorWith(instant, 1)
  expect(await door.operate(2)).toEqual({ isSuccess: true, errorType: null })
  door.letThrough()
  expect(await door.operate(1)).toEqual({ isSuccess: true, errorType: null })
  expect(door.state()).toBe('alwaysOpen')
  expect(await door.operate(3)).toEqual({ isSuccess: true, errorType: null })
  expect(states).toEqual(['alwaysOpening', 'alwaysOpen', 'closing', 'closed'])
})

test('a passage while it closes opens it again, and the overtaken movement changes nothing', async () => {
  const { output, movements } = manualLock()
  const { door, states } = doorWith(output, 60_000)
  const opened = door.operate(1)
  movements[0]!.end()
  await opened
  const closed = door.operate(3)
  door.letThrough()
  movements[2]!.end()
  await until('it is open again', () => door.state() === 'opened')
  movements[1]!.end()
  await closed
  expect(states).toEqual(['opening', 'opened', 'closing', 'opening', 'opened'])
})

test('an unknown operation is a business error, a jammed lock an error', async () => {
  const { output, movements } = manualLock()
  const { door, sentences } = doorWith(output, 60_000)
  expect(await door.operate(7)).toEqual({ isSuccess: false, errorType: 2 })
  const answer = door.operate(1)
  movements[0]!.fail()
  expect(await answer).toEqual({ isSuccess: false, errorType: 4 })
  expect(sentences).toEqual(['The door does not obey: jammed'])
})

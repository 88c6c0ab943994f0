/** Who waits for whom in front of the face engine. */
import { describe, expect, test } from 'vitest'
import type { PhotoAnalysis } from '@gatehouse/face-engine'
import { SemaphoreFull } from '../../platform/async/semaphore.ts'
import { createAnalysis } from './analysis.ts'

const NOTHING: PhotoAnalysis = { width: 1, height: 1, faces: [], tooSmall: 0 } as never

/** An engine of this many workers that says which photographs it has in hand, and is done with one when told. */
function engine(workers: number) {
  const waiting: { name: string; done(): void }[] = []
  const started: string[] = []
  const analyse = (photo: Uint8Array): Promise<PhotoAnalysis> =>
    new Promise((resolve) => {
      const name = Buffer.from(photo).toString()
      started.push(name)
      waiting.push({ name, done: () => resolve(NOTHING) })
    })
  return {
    analysis: createAnalysis({ analyse } as never, workers),
    started,
    /** End the photograph that was begun first. */
    async finish(): Promise<void> {
      waiting.shift()?.done()
      await settled()
    },
  }
}
/** Let everything happen that waits for nothing else. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
const bytes = (name: string): Uint8Array => Buffer.from(name)

describe('a backlog of pictures of cameras', () => {
  test.each([1, 2, 4])('is not in front of a person or a door, with %i workers', async (workers) => {
    const { analysis, started, finish } = engine(workers)
    const backlog = Array.from({ length: 40 }, (_, number) =>
      analysis.analyseOfCamera(bytes(`picture ${number}`), `camera ${number % 8}`).catch(() => null),
    )
    await settled()
    const ofCameras = started.length
    expect(ofCameras).toBe(Math.max(1, workers - 1))
    const registered = analysis.now(bytes('person'))
    const atDoor = analysis.analyse(bytes('door'))
    await settled()
    // Handed over at once where a worker is free, and the very next where there is only one.
    expect(started[ofCameras]).toBe('person')
    await finish()
    expect(started.slice(0, ofCameras + 2)).toContain('door')
    while (started.length < 42) await finish()
    for (let left = 0; left <= workers; left++) await finish()
    await Promise.all([registered, atDoor, ...backlog])
  })

  test('of one camera is refused once it is long, and leaves room for the others', async () => {
    const { analysis, started, finish } = engine(1)
    const refused: unknown[] = []
    const send = (camera: string, number: number): void =>
      void analysis.analyseOfCamera(bytes(`${camera} ${number}`), camera).catch((error: unknown) => refused.push(error))
    for (let number = 0; number < 20; number++) send('busy', number)
    await settled()
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every((error) => error instanceof SemaphoreFull)).toBe(true)
    const before = refused.length
    send('quiet', 0)
    await settled()
    expect(refused).toHaveLength(before)
    for (let done = before; done < 20; done++) await finish()
    expect(started.at(-1)).toBe('quiet 0')
  })
})

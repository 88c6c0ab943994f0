/** A terminal with a network camera: a real ffmpeg reads from a camera over RTSP. */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { accessResult } from '@gatehouse/contract/enums'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type MadePerson, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { ffmpegMissing, startRtspCamera, type RtspCamera } from '../support/rtsp-camera.ts'
import { until } from '../support/until.ts'

/** Milliseconds without a picture: longer than a pause that a busy machine causes. */
const SILENCE = 5_000

if (ffmpegMissing !== null) console.warn(`Skipped: ${ffmpegMissing}`)

describe.skipIf(ffmpegMissing !== null)('a camera of the network', () => {
  let world: World
  let resident: MadePerson
  let another: Buffer

  beforeAll(async () => {
    const photographs = openPhotographs()
    const person = photographs.kind === 'real' ? photographs.person('colin_powell') : photographs.people[0]!
    world = await startWorld()
    resident = await world.person({ name: person.name, photo: await person.photo(1) })
    another = await person.photo(2)
  })
  afterAll(() => world?.stop())

  async function film(): Promise<RtspCamera> {
    const camera = await startRtspCamera(another)
    onTestFinished(() => camera.stop())
    return camera
  }

  /** Start a terminal with the camera, at a door that is open to the resident only if `opens`. */
  async function doorWith({ url }: RtspCamera, opens = false): Promise<WorldTerminal & { sentences: string[] }> {
    const sentences: string[] = []
    const device = await world.device()
    if (opens) await world.strategy({ persons: [resident], devices: [device] })
    const terminal = await world.terminal(device, { camera: url, cameraSilence: SILENCE, log: (sentence) => void sentences.push(sentence) })
    return { ...terminal, sentences }
  }

  const becomes = ({ state }: WorldTerminal, wanted: string) => until(`the camera to be ${wanted}`, () => state().camera?.state === wanted)

  /** Return the running programs that read from a camera. */
  const looking = ({ port }: RtspCamera) =>
    execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('ffmpeg') && line.includes(`:${port}/`))

  test('lets in who stands before it, and the record with its picture arrives', async () => {
    const camera = await film()
    const terminal = await doorWith(camera, true)
    const record = await until('the record with its picture', async () => {
      const { content } = await world.call(recordCalls.find, { body: { deviceId: terminal.device.id } })
      return content.find(({ result, captureImage }) => result === accessResult.allowed && captureImage !== '')
    })
    expect(record).toMatchObject({ personId: resident.id, personName: resident.name })
    const picture = await fetch(world.url + record.captureImage)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500)
    expect(((await (await fetch(`${terminal.url}state`)).json()) as { camera: unknown }).camera).toEqual({ state: 'live' })

    expect(looking(camera)).toHaveLength(1)
    await terminal.stop()
    expect(looking(camera)).toEqual([])
    await until('the camera to have nobody', () => camera.viewers() === 0)
  })

  test('goes away and comes back, switched off or hanging, and the log says so without its password', async () => {
    const camera = await film()
    const terminal = await doorWith(camera)
    await becomes(terminal, 'live')
    await camera.away()
    await becomes(terminal, 'away')
    await camera.back()
    await becomes(terminal, 'live')
    camera.hang()
    await becomes(terminal, 'away')
    await camera.back()
    await becomes(terminal, 'live')
    await camera.away()
    await becomes(terminal, 'away')

    const printed = (sentence: string) =>
      terminal.sentences.filter((one) => one === `The camera rtsp://127.0.0.1:${camera.port} ${sentence}`).length
    expect(printed('is asked for pictures.')).toBe(1)
    expect(printed('sends pictures.')).toBeGreaterThanOrEqual(3)
    expect(printed('is away and is asked for again and again: it sent no picture for 5 s')).toBeGreaterThanOrEqual(1)
    expect(terminal.sentences.join('\n')).not.toMatch(new RegExp(`${camera.password}|${encodeURIComponent(camera.password)}`))
    await terminal.stop()
    expect(looking(camera)).toEqual([])
  })

  test('with the wrong password is away, and the reason does not repeat it', async () => {
    const camera = await film()
    const terminal = await doorWith({ ...camera, url: camera.url.replace(encodeURIComponent(camera.password), 'wr0ng') })
    await becomes(terminal, 'away')
    const [why] = terminal.sentences.filter((sentence) => sentence.includes('is away'))
    expect(why).toMatch(/401/)
    expect(terminal.sentences.join('\n')).not.toContain('wr0ng')
    await terminal.stop()
  })

  test('is seen by this machine only, as a picture that is replaced again and again', async () => {
    const camera = await film()
    const terminal = await doorWith(camera)
    await becomes(terminal, 'live')
    const foreign = await fetch(`${terminal.url}camera`, { headers: { origin: 'http://elsewhere.example' } })
    expect(foreign.status).toBe(403)

    const seen = await fetch(`${terminal.url}camera`)
    expect(seen.headers.get('content-type')).toMatch(/^multipart\/x-mixed-replace; boundary=/)
    let text = ''
    const reader = seen.body!.getReader()
    await until('two pictures', async () => {
      text += Buffer.from((await reader.read()).value ?? []).toString('latin1')
      return text.split('Content-Type: image/jpeg\r\n').length > 2
    })
    expect(text).toContain('\r\n\r\n\xff\xd8\xff')
    // Cameras of an older kind send such a stream as well, and are supported too.
    const beyond = await doorWith({ ...camera, url: `${terminal.url}camera` })
    await becomes(beyond, 'live')
    await beyond.stop()
    // A frozen picture would look like a live one.
    await camera.away()
    await until('the picture to end', async () => (await reader.read()).done)
    expect((await fetch(`${terminal.url}camera`)).status).toBe(503)
    await terminal.stop()

    const without = await world.terminal()
    expect(without.state().camera).toBeNull()
    expect((await fetch(`${without.url}camera`)).status).toBe(404)
    await without.stop()
  })
})

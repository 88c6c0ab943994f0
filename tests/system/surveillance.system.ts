/**
 * A capture camera with the real engine, the real program and a stream over RTSP: six people walk by while the network is cut, and the
 * power goes. Each of them arrives once. Then others come, and the power goes while two of them are in view: nobody arrives twice.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { deviceType } from '@gatehouse/contract/enums'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { ffmpegMissing } from '@gatehouse/dev-env/rtsp-films'
import { startRtspSimulator } from '@gatehouse/dev-env/rtsp-simulator'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { openPhotographs, type PhotographedPerson } from '@gatehouse/dev-env/photographs'
import { walkers, walkingPictures } from '@gatehouse/dev-env/walking-faces'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { engineOf, FacePool } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import type { CaptureCameraState } from '@gatehouse/terminal/capture/options'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startCutNetwork } from '../support/cut-network.ts'
import { killProgram } from '../support/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

const PEOPLE = 6
/** Milliseconds for one to walk by: slow enough for a busy machine. */
const WALK = 4_000
/** Pictures until the first two are in the middle of their way. */
const STANDING = 50
const DAY = 86_400_000
/** Where the camera reaches the server: an address at which nothing but proxies listens. */
const CAMERA_HOST = '127.0.0.9'

const missing = ffmpegMissing ?? (openPhotographs().kind === 'drawn' ? 'the photographs of real people are not there' : null)
if (missing !== null) console.warn(`Skipped: ${missing}`)

let world: World | undefined
let pool: FacePool | undefined
afterAll(async () => {
  await world?.stop()
  await pool?.close()
})

interface CameraProcess {
  child: ChildProcess
  state(): Promise<CaptureCameraState>
}

interface CameraSetup {
  server: string
  device: MadeDevice
  camera: string
  folder: string
  models: string | null
}

/** Start the program as a user does. */
async function startCamera({ server, device, camera, folder, models }: CameraSetup): Promise<CameraProcess> {
  const program = join(import.meta.dirname, '../../apps/terminal/src/main.ts')
  const options = { '--role': 'camera', '--server': server, '--code': device.code, '--data': folder, '--port': '0', '--camera': camera }
  const words = [
    '--disable-warning=ExperimentalWarning',
    program,
    ...Object.entries(options).flat(),
    ...(models ? ['--models', models] : []),
  ]
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GATEHOUSE_SECRET: device.secret },
  })
  onTestFinished(() => killProgram(child))
  const started = Promise.withResolvers<string>()
  child.once('exit', (code) => started.reject(new Error(`the camera ended with ${String(code)}`)))
  createInterface(child.stdout).on('line', (line) => {
    const url = /shows its page at (\S+)$/.exec(line)?.[1]
    if (url !== undefined) started.resolve(url)
  })
  const url = await started.promise
  return { child, state: async () => (await (await fetch(`${url}state`)).json()) as CaptureCameraState }
}

/** Return the pictures of a film in which people walk by. */
async function filmOf(people: readonly PhotographedPerson[]): Promise<Uint8Array[]> {
  const photos = await Promise.all(people.map((person) => person.photo(person.count > 1 ? 2 : 1)))
  const pictures: Uint8Array[] = []
  for await (const picture of walkingPictures(walkers(photos, WALK))) pictures.push(picture)
  return pictures
}

describe.skipIf(missing !== null)('a capture camera', () => {
  test('captures each passer-by once, through cuts of the network and of the power', async () => {
    const models = hasTestingModels ? testingModelDir() : null
    pool = new FacePool({ engine: await engineOf(models), workers: 1 })
    world = await startWorld({ facePool: pool })
    const { photographs } = world
    const people = photographs.people.slice(0, 2 * PEOPLE)
    const group = await world.personGroup()
    const names = new Map<string, string>()
    for (const person of people) {
      const { id } = await world.person({ name: person.name, groupId: group.id, photo: await person.photo(1) })
      names.set(id, person.name)
    }
    const device = await world.device({ type: deviceType.captureCamera, model: 1 })
    const now = Date.now()
    await world.call(monitoringTaskCalls.add, {
      body: {
        name: 'At the gate',
        startTime: now - DAY,
        endTime: now + DAY,
        periods: ALWAYS_OPEN,
        deviceIds: [device.id],
        personGroupIds: [group.id],
        similarityThreshold: 60,
      },
    })
    await world.server.platform.events.settled()
    /** Return who was identified, in the order of arrival. */
    const arrived = async (): Promise<string[]> => {
      const { content } = await world!.call(captureCalls.find, { body: { list: 'identified', size: 100 } })
      return content.map(({ personId }) => (personId === null ? 'nobody' : names.get(personId)!)).toSorted()
    }
    const [first, second] = [people.slice(0, PEOPLE), people.slice(PEOPLE)]
    const namesOf = (some: typeof people) => some.map(({ name }) => name).toSorted()
    const pictures = await filmOf(first)
    const others = await filmOf(second)
    const simulator = await startRtspSimulator()
    onTestFinished(simulator.stop)
    const broadcast = simulator.broadcast('gate', pictures.at(-1)!)
    onTestFinished(broadcast.stop)
    const network = await startCutNetwork(world, CAMERA_HOST)
    onTestFinished(network.stop)
    const setup = { server: network.url, device, camera: simulator.url('gate'), folder: scratchFolder(), models }

    let camera = await startCamera(setup)
    await until('the camera to be online', async () => (await camera.state()).link.kind === 'online')
    await until('its engine', async () => (await camera.state()).engine.state === 'ready')
    await until('the camera to film', async () => (await camera.state()).camera?.state === 'live')
    network.cut()
    await until('it to be cut off', async () => (await camera.state()).link.kind !== 'online')
    await broadcast.show(Readable.from(pictures))
    await until('nobody to be in view', async () => (await camera.state()).stream.inView === 0)
    expect(await camera.state()).toMatchObject({ waiting: PEOPLE, captures: { count: PEOPLE } })
    await killProgram(camera.child)
    camera = await startCamera(setup)
    expect((await camera.state()).waiting).toBe(PEOPLE)
    network.restore()
    await until('all to have arrived', async () => (await camera.state()).waiting === 0)
    await until('all to be identified', async () => (await arrived()).length === PEOPLE)
    expect(await arrived()).toEqual(namesOf(first))
    await until('all pictures', async () => {
      const { content } = await world!.call(captureCalls.find, { body: { size: 100 } })
      return content.length === PEOPLE && content.every(({ captureFaceImage }) => captureFaceImage !== '')
    })

    // Others come, and the first two of them stand still when the power goes.
    await until('the camera to film', async () => (await camera.state()).camera?.state === 'live')
    await broadcast.show(Readable.from(others.slice(0, STANDING)))
    await until('two to have arrived', async () => (await arrived()).length === PEOPLE + 2)
    await killProgram(camera.child)
    camera = await startCamera(setup)
    await until('both to be in view', async () => (await camera.state()).stream.inView === 2)
    await broadcast.show(Readable.from(others.slice(STANDING)))
    await until('nobody to be in view', async () => (await camera.state()).stream.inView === 0)
    await until('all to have arrived', async () => (await camera.state()).waiting === 0)
    expect(await arrived()).toEqual(namesOf(people))
  })
})

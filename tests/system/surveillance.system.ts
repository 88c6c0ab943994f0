/**
 * A capture camera with the real engine, the real program and a stream over RTSP: six people walk by while the network is cut, and the
 * power goes. Each of them arrives once. Then others come, and the power goes while two of them are in view: nobody arrives twice.
 */
import { deviceType } from '@gatehouse/contract/enums'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { ffmpegMissing } from '@gatehouse/dev-env/rtsp-films'
import { startRtspSimulator } from '@gatehouse/dev-env/rtsp-simulator'
import { openPhotographs, type PhotographedPerson } from '@gatehouse/dev-env/photographs'
import { walkers, walkingPictures } from '@gatehouse/dev-env/walking-faces'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { engineOf, FacePool } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { task } from '@gatehouse/server/contexts/surveillance/testing/cameras'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { atPaceOf, startCaptureCameraProgram, type CaptureCameraProgram, type CaptureCameraSetup } from '../support/capture-camera.ts'
import { startCutNetwork } from '../support/cut-network.ts'
import { killProgram } from '../support/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

const PEOPLE = 6
/** Milliseconds for one to walk by: slow enough for a busy machine. */
const WALK = 4_000
/** Pictures until the first two are in the middle of their way. */
const STANDING = 50
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

/** Start the program as a user does; it ends with the test. */
async function startCamera(setup: CaptureCameraSetup): Promise<CaptureCameraProgram> {
  const camera = await startCaptureCameraProgram(setup)
  onTestFinished(() => killProgram(camera.child))
  return camera
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
    await task(world, world, { devices: [device], groups: [group], similarityThreshold: 60 })
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
    await broadcast.show(atPaceOf(camera, pictures))
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
    await broadcast.show(atPaceOf(camera, others.slice(0, STANDING)))
    await until('two to have arrived', async () => (await arrived()).length === PEOPLE + 2)
    await killProgram(camera.child)
    camera = await startCamera(setup)
    await until('both to be in view', async () => (await camera.state()).stream.inView === 2)
    await broadcast.show(atPaceOf(camera, others.slice(STANDING)))
    await until('nobody to be in view', async () => (await camera.state()).stream.inView === 0)
    await until('all to have arrived', async () => (await camera.state()).waiting === 0)
    expect(await arrived()).toEqual(namesOf(people))
  })
})

/**
 * Thirty people of the photographs walk by before a capture camera, with the real program and a stream over RTSP. A monitoring task looks
 * out for ten of them, and a subscriber stands for the guard whom a bubble of each is shown.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceType, topN } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { topics } from '@gatehouse/contract/realtime'
import { captureCalls, type CaptureRecord } from '@gatehouse/contract/surveillance/captures'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import type { PhotographedPerson } from '@gatehouse/dev-env/photographs'
import { startRtspSimulator } from '@gatehouse/dev-env/rtsp-simulator'
import { headOf, walkers, walkingPictures, type Walker } from '@gatehouse/dev-env/walking-faces'
import type { World } from '@gatehouse/dev-env/world'
import { task } from '@gatehouse/server/contexts/surveillance/testing/cameras'
import sharp from 'sharp'
import { atPaceOf, startCaptureCameraProgram, type CaptureCameraProgram } from './capture-camera.ts'
import { killProgram } from './program.ts'
import { until } from './until.ts'

const PEOPLE = 30
/** Whom the task looks out for: ten, none of whom is the sister of somebody who walks by. */
const isSought = (index: number): boolean => index % 3 === 2
/** The photograph somebody walks by with: another one than that on file, the second where nobody else looks out from behind them in it. */
const FILMED: ReadonlyMap<string, number> = new Map([['laura_bush', 3]])
/** Score from which a face counts: far above that of strangers among these photographs, below that of each of the ten. */
const SCORE = 90
/** Milliseconds for one to walk by. */
const WALK = 2_000
const PER_SECOND = 25
const DAY = 86_400_000
/** Pixels around a head. */
const ROOM = { top: 80, bottom: 80, left: 80, right: 80 }

export interface ShowOptions {
  /** Folder of the models of the engine that the world has. */
  models: string
  /** Whether they walk as slowly as the camera needs, so that what comes of it does not depend on the speed of the machine. */
  isAtPace: boolean
}

export interface ShowOutcome {
  walked: number
  sought: number
  /** Number of people of whom there is a capture, and names of the others. */
  seen: number
  unseen: string[]
  /** Names of people for each capture beyond the first. */
  twice: string[]
  /** Sought people who were recognised. */
  matched: number
  /** Names of people, each with the name it was taken for. */
  mixedUp: string[]
  /** Sought people who were not recognised. */
  missed: string[]
  /** Alarms the guard was shown. */
  alarms: number
  /** Time to the bubble from the first picture that was shown of a face, the stream included. */
  fromView: Delay
  /** Time to the bubble from when the picture was shown that was captured as the best. */
  fromPicture: Delay
}

/** Milliseconds: of half of the people, and of 95 % of them, at most. */
export interface Delay {
  p50: number
  p95: number
}

/** What the guard was shown of a person. */
interface Bubbles {
  firstAt: number
  alarms: Set<string>
}

/** Somebody who walks by. */
interface Passing {
  person: PhotographedPerson
  id: string
  /** As the film shows it, with room around it: what reaches to the edges is no photograph to register or search with. */
  head: Uint8Array
}

/** Let them walk by, and return what came of it. @throws Error when not all arrives */
export async function showPassersBy(world: World, { models, isAtPace }: ShowOptions): Promise<ShowOutcome> {
  const people = world.photographs.people.slice(0, PEOPLE)
  const photos = await Promise.all(people.map((person) => person.photo(FILMED.get(person.identity) ?? 2)))
  const passing: Passing[] = []
  const [sought, others] = [await world.personGroup(), await world.personGroup()]
  for (const [index, person] of people.entries()) {
    const groupId = isSought(index) ? sought.id : others.id
    const { id } = await world.person({ name: person.name, groupId, photo: await person.photo(1) })
    passing.push({ person, id, head: await framed(await headOf(photos[index]!)) })
  }
  const device = await world.device({ type: deviceType.captureCamera, model: 1 })
  // Nobody's second alarm is counted with the first.
  await task(world, world, { devices: [device], groups: [sought], similarityThreshold: SCORE, repeatSeconds: 0 })
  await world.server.platform.events.settled()

  const bubbles = new Map<string, Bubbles>()
  const live = await world.listen(topics.faceAlarms, ({ id, personId }) => {
    const shown = bubbles.get(personId ?? '') ?? { firstAt: Date.now(), alarms: new Set() }
    bubbles.set(personId ?? '', shown)
    // An alarm is sent again when its picture has arrived.
    shown.alarms.add(id)
  })
  const walking = walkers(photos, WALK)
  const pictures: Uint8Array[] = []
  for await (const picture of walkingPictures(walking, { perSecond: PER_SECOND })) pictures.push(picture)

  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-show-'))
  const simulator = await startRtspSimulator()
  const broadcast = simulator.broadcast('gate', pictures.at(-1)!, PER_SECOND)
  let camera: CaptureCameraProgram | null = null
  try {
    camera = await startCaptureCameraProgram({ server: world.url, device, camera: simulator.url('gate'), folder, models })
    const { state } = camera
    await until('the camera to be online', async () => (await state()).link.kind === 'online')
    await until('its engine', async () => (await state()).engine.state === 'ready')
    await until('the camera to film', async () => (await state()).camera?.state === 'live')
    const film = filmOf(isAtPace ? atPaceOf(camera, pictures) : pictures)
    await broadcast.show(film.pictures())
    await until('nobody to be in view', async () => (await state()).stream.inView === 0)
    await until('all captures to have arrived', async () => (await state()).waiting === 0)
    const rows = await arrived(world, (await state()).captures.count)
    const right = await walkersIn(world, passing, rows)
    const recognised = rows.flatMap((row, index) => (row.personId === null ? [] : [{ row, walker: right[index]! }]))
    await until('the bubbles', () => recognised.every(({ row }) => bubbles.has(row.personId!)))
    return outcomeOf({ passing, walking, right, recognised, shownAt: (index) => film.shownAt.get(pictures[index]!)!, bubbles })
  } finally {
    await live.stop()
    if (camera !== null) await killProgram(camera.child)
    await broadcast.stop()
    await simulator.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Return a picture with room around it. */
const framed = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture)
    .extend({ ...ROOM, background: 'grey' })
    .jpeg({ quality: 95 })
    .toBuffer()

interface Film {
  pictures(): AsyncGenerator<Uint8Array>
  /** When each picture was shown first. */
  shownAt: Map<Uint8Array, number>
}

/** Return a film that says when it showed what. */
function filmOf(shown: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Film {
  const shownAt = new Map<Uint8Array, number>()
  return {
    shownAt,
    async *pictures() {
      for await (const picture of shown) {
        if (!shownAt.has(picture)) shownAt.set(picture, Date.now())
        yield picture
      }
    },
  }
}

function delayOf(delays: readonly number[]): Delay {
  const ascending = delays.toSorted((a, b) => a - b)
  const of = (share: number) => ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN
  return { p50: of(0.5), p95: of(0.95) }
}

/** Return the number of the first picture of a moment of the film. */
const pictureAt = (moment: number): number => Math.ceil((moment * PER_SECOND) / 1_000)

/** Return all captures, once their pictures are there. */
async function arrived(world: World, count: number): Promise<CaptureRecord[]> {
  return until('all captures with their pictures', async () => {
    const { content } = await world.call(captureCalls.find, { body: { size: 100 } })
    return content.length === count && content.every(({ captureFaceImage }) => captureFaceImage !== '') ? content : null
  })
}

/**
 * Return who each capture is of: the one whose head of the film is the nearest. Its picture does not tell, since it may show two people;
 * and who is on file is what the task itself compares with.
 */
async function walkersIn(world: World, passing: readonly Passing[], rows: readonly CaptureRecord[]): Promise<Passing[]> {
  const scores: Map<string, number>[] = []
  const now = Date.now()
  for (const { head } of passing) {
    const { faceId } = await world.call(faceCalls.cache, { body: {}, file: head })
    const window = { startTime: now - DAY, endTime: now + DAY, minScore: 0, top: topN.fifty }
    const { hits } = await world.call(faceSearchCalls.search, { body: { ...window, faceId, reason: 'Who walked by' } })
    scores.push(new Map(hits.map(({ captureId, searchScore }) => [captureId, searchScore])))
  }
  const scoreOf = ({ captureId }: CaptureRecord, walker: Passing) => scores[passing.indexOf(walker)]!.get(captureId) ?? 0
  return rows.map((row) => passing.toSorted((one, other) => scoreOf(row, other) - scoreOf(row, one))[0]!)
}

interface Shown {
  passing: readonly Passing[]
  walking: readonly Walker[]
  /** Who each capture is of. */
  right: readonly Passing[]
  recognised: readonly { row: CaptureRecord; walker: Passing }[]
  /** Return when a picture of the film was shown first. */
  shownAt: (index: number) => number
  /** By person; empty for a stranger. */
  bubbles: ReadonlyMap<string, Bubbles>
}

function outcomeOf({ passing, walking, right, recognised, shownAt, bubbles }: Shown): ShowOutcome {
  const sought = passing.filter((_, index) => isSought(index))
  const firstShownOf = (walker: Passing) => shownAt(pictureAt(walking[passing.indexOf(walker)]!.from))
  const inTime = recognised.filter(({ row, walker }) => row.personId === walker.id)
  // The first face of a picture is noticed soon after the stream has brought it: the least of these times is what the stream takes.
  const stream = Math.max(0, Math.min(...inTime.map(({ row, walker }) => row.enteredAt - firstShownOf(walker))))
  const matched = new Set(inTime.map(({ walker }) => walker))
  return {
    walked: passing.length,
    sought: sought.length,
    seen: new Set(right).size,
    unseen: passing.filter((walker) => !right.includes(walker)).map(({ person }) => person.name),
    twice: right.filter((walker, index) => right.indexOf(walker) !== index).map(({ person }) => person.name),
    matched: matched.size,
    mixedUp: recognised
      .filter(({ row, walker }) => row.personId !== walker.id)
      .map(({ row, walker }) => `${walker.person.name} as ${row.personName}`),
    missed: sought.filter((each) => !matched.has(each)).map(({ person }) => person.name),
    alarms: [...bubbles.values()].reduce((count, { alarms }) => count + alarms.size, 0),
    fromView: delayOf(inTime.map(({ walker }) => bubbles.get(walker.id)!.firstAt - firstShownOf(walker))),
    fromPicture: delayOf(inTime.map(({ row, walker }) => bubbles.get(walker.id)!.firstAt - row.captureTime + stream)),
  }
}

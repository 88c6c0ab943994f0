/** Measures a list call over HTTP against its minimum cost: the bare queries and JSON.stringify of the same rows. */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { median, type BenchResult } from './result.ts'

const PERSONS = 400
const ROWS = 20
const WARM_UP = 150
const ROUNDS = 600

/** One page of persons with their groups, with the columns of the list, and their total number. */
const PAGE = `select person.id, person.name, person.work_number as "workNumber", person.details, person.gender,
  person.group_id as "groupId",
    person_group.name as "groupName", person.id_number as "idNumber",
    person.valid_from as "validFrom", person.valid_to as "validTo", person.enabled, person.kind, person.version,
    person.created_at as "createdAt", person.updated_at as "updatedAt"
  from person join person_group on person_group.id = person.group_id
  where person.park_id = $1 order by person.created_at desc, person.id desc limit ${ROWS}`
const PHOTOS = 'select id, person_id, file_id from face where person_id = any($1) order by person_id, position'
const COUNT = 'select count(*) as total from person where park_id = $1'

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Request the page, or another path, over a connection that stays open; return the text of the body. */
function overHttp(world: World, agent: Agent, path = `${peopleCalls.list.url}?size=${ROWS}`): Promise<string> {
  const { credentials } = world.client
  const headers = { authorization: `Bearer ${credentials !== null && 'bearer' in credentials ? credentials.bearer : ''}` }
  return new Promise((resolve, reject) => {
    const outgoing = request(world.url + path, { agent, headers }, (response) => resolve(text(response)))
    outgoing.on('error', reject)
    outgoing.end()
  })
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  const pool = new pg.Pool({ connectionString: world.connectionString, max: 4 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const group = await world.personGroup()
    for (let made = 0; made < PERSONS; made++) await world.person({ groupId: group.id })
    // The newest persons are on the requested page, and each has a face like people in a real register.
    for (let made = 0; made < ROWS; made++) await world.person({ groupId: group.id, photo: await portrait(`list ${made}`) })
    await world.settled()
    await pool.query('analyze')

    const rows = (JSON.parse(await overHttp(world, agent)) as { data: { content: Person[] } }).data.content
    if (rows.length !== ROWS || rows.some(({ faces }) => faces.length !== 1)) throw new Error('the page is not the one meant')
    async function bare(): Promise<string> {
      const [page] = await Promise.all([pool.query<{ id: string }>(PAGE, [world.park.id]), pool.query(COUNT, [world.park.id])])
      await pool.query(PHOTOS, [page.rows.map(({ id }) => id)])
      return JSON.stringify(rows)
    }
    const call = () => overHttp(world, agent)

    // In turns, so that other load of the machine affects both alike.
    const times = { bare: [] as number[], call: [] as number[], nothing: [] as number[] }
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const [least, whole, nothing] = [await timed(bare), await timed(call), await timed(() => overHttp(world, agent, '/healthz'))]
      if (round < 0) continue
      times.bare.push(least)
      times.call.push(whole)
      times.nothing.push(nothing)
    }
    const [least, whole] = [median(times.bare), median(times.call)]
    return [
      { name: `bare queries and JSON.stringify of ${ROWS} rows`, value: least, unit: 'ms' },
      { name: 'a call that does nothing, over HTTP', value: median(times.nothing), unit: 'ms' },
      { name: `person list of ${ROWS} rows over HTTP`, value: whole, unit: 'ms', ratioTo: 'bare', ratio: whole / least, goal: 1.5 },
    ]
  } finally {
    agent.destroy()
    await pool.end()
    await world.stop()
  }
}

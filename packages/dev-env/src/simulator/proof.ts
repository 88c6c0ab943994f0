/** The proof that nothing was lost and nothing stored twice: what devices made and hold, compared with what the server has. */

/** One device, by its own store and by the server. */
export interface Account {
  deviceId: string
  code: string
  /** Ids of all records that it ever stored durably. */
  made: ReadonlySet<string>
  stored: Holding | null
  expected: Holding | null
}

export interface Holding {
  revision: string
  audience: string
  /** Sum of the versions of all persons, computed again. */
  digest: string
  /** Persons, those that cannot be recognised included. */
  persons: number
}

export interface StoredRecord {
  id: string
  deviceId: string
}

export interface Proof {
  holds: boolean
  made: number
  stored: number
  /** Ids that were made and are not at the server. */
  missing: string[]
  /** Ids the server has more than once. */
  twice: string[]
  /** Ids that the server has under these devices and that none of them made. */
  unknown: string[]
  /** Devices that hold something other than they should, with the difference. */
  astray: { code: string; difference: string }[]
}

/** Return the proof, which holds only if every record is stored exactly once under its device and every device holds what it should. */
export function prove(accounts: readonly Account[], stored: Iterable<StoredRecord>): Proof {
  const makerOf = new Map(accounts.flatMap(({ deviceId, made }) => [...made].map((id): [string, string] => [id, deviceId])))
  const seen = new Set<string>()
  const proof: Proof = { holds: false, made: makerOf.size, stored: 0, missing: [], twice: [], unknown: [], astray: [] }
  for (const { id, deviceId } of stored) {
    proof.stored++
    if (seen.has(id)) proof.twice.push(id)
    else if (makerOf.get(id) !== deviceId) proof.unknown.push(id)
    seen.add(id)
  }
  for (const id of makerOf.keys()) if (!seen.has(id)) proof.missing.push(id)
  for (const { code, ...account } of accounts) {
    const difference = differenceOf(account.stored, account.expected)
    if (difference !== '') proof.astray.push({ code, difference })
  }
  proof.holds = proof.made === proof.stored && [proof.missing, proof.twice, proof.unknown, proof.astray].every((list) => list.length === 0)
  return proof
}

function differenceOf(stored: Holding | null, expected: Holding | null): string {
  if (expected === null) return 'the server does not say what it should hold'
  if (stored === null) return 'holds nothing'
  const names = (['revision', 'audience', 'digest', 'persons'] as const).filter((name) => stored[name] !== expected[name])
  return names.map((name) => `${name} ${stored[name]} instead of ${expected[name]}`).join(', ')
}

/** Return the proof in sentences. */
export function sentencesOf({ holds, made, stored, missing, twice, unknown, astray }: Proof): string[] {
  const some = (list: readonly string[]) => `${list.length}: ${list.slice(0, 5).join(', ')}${list.length > 5 ? ' …' : ''}`
  return [
    `${made} records were made, the server has ${stored}.`,
    ...(missing.length > 0 ? [`Lost, ${some(missing)}`] : []),
    ...(twice.length > 0 ? [`Stored more than once, ${some(twice)}`] : []),
    ...(unknown.length > 0 ? [`Stored and made by nobody, ${some(unknown)}`] : []),
    ...(astray.length > 0
      ? [`Devices that do not hold what they should, ${some(astray.map(({ code, difference }) => `${code} (${difference})`))}`]
      : ['Every device holds what it should.']),
    holds ? 'Proven: nothing lost, nothing twice.' : 'NOT PROVEN.',
  ]
}

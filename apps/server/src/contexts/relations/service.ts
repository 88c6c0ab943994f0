/** Linked parks and the persons they share. */
import type { z } from 'zod'
import { personStatusAt } from '@gatehouse/access-rules'
import type { AssociatedPerson } from '@gatehouse/contract/people/relation'
import type { ParkRelation, relationCalls } from '@gatehouse/contract/relations/calls'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { isFoundBy } from '../../platform/session/masking.ts'
import type { Paging } from '../../platform/database/page.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import { inPark, type Scope, type Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService, PersonFacts } from '../people/index.ts'
import * as data from './data.ts'
import { parkLinksChanged } from './events.ts'
import { noteRelations } from './history.ts'
import type { RelationsTables } from './schema.ts'

export interface RelationDependencies {
  people: PeopleService
  groups: GroupService
  organisation: OrganisationService
}

type Applied = z.output<typeof relationCalls.apply.body>
type Change = z.output<typeof relationCalls.change.body>
export interface AssociatedFilter extends Paging {
  name?: string | undefined
  workNumber?: string | undefined
  parkId?: string | undefined
}

export interface RelationService {
  parks(session: Session): Promise<{ id: string; parkName: string; areaCode: string }[]>
  list(session: Session, filter: data.RelationFilter & Paging): Promise<Paging & { total: number; content: ParkRelation[] }>
  /** @throws Refusal 1100001 the own park, 1100002 already asked, 1100003 already linked */
  apply(session: Session, fields: Applied): Promise<string>
  /** @throws Refusal 1100004 not open to this park, Conflict */
  change(scope: Scope, change: Change): Promise<void>
  delete(scope: Scope, id: string): Promise<void>
  /** Persons of other parks who are associated with this one. */
  associated(scope: Scope, filter: AssociatedFilter): Promise<Paging & { total: number; content: AssociatedPerson[] }>
  /** @throws NotFound for a person who is not associated with this park */
  associatedPerson(scope: Scope, id: string): Promise<AssociatedPerson>
  forget(scope: Scope, kind: data.MemberKind, ids: readonly string[]): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

/** A person of another park, before anything is read of them. */
interface Shared {
  facts: PersonFacts
  parkId: string
  since: number
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]
const areSame = (one: readonly string[] | undefined, other: readonly string[]): boolean =>
  one !== undefined && one.length === other.length && one.every((id) => other.includes(id))

export function createRelationService(platform: Platform, { people, groups, organisation }: RelationDependencies): RelationService {
  const db = platform.db as unknown as Database<RelationsTables>
  const parkOf = (parkId: string) => organisation.get(parkId)
  const otherOf = (scope: Scope, row: data.RelationRow): string =>
    row.applicantPark === scope.parkId ? row.receiverPark : row.applicantPark

  async function existing(scope: Scope, id: string): Promise<data.RelationRow> {
    const row = await data.findRelation(scope, db, id)
    if (row === undefined) throw new NotFound()
    return row
  }

  /** Notes what holds of a relation from now on, and tells the park that lets its persons pass. */
  async function told(
    tx: Tx<RelationsTables>,
    { id, applicantPark, receiverPark }: Pick<data.RelationRow, 'id' | 'applicantPark' | 'receiverPark'>,
  ): Promise<void> {
    await noteRelations(platform, tx, { parkId: applicantPark }, [id])
    await platform.events.announce(tx, parkLinksChanged, receiverPark, { relationIds: [id] })
  }

  /** Everybody relations are about, groups with all below them; by relation. */
  async function personsOf(
    scope: Scope,
    rows: readonly data.RelationRow[],
  ): Promise<Map<string, { personIds: string[]; groupIds: string[]; all: string[] }>> {
    const members = await data.findMembers(
      scope,
      db,
      rows.map(({ id }) => id),
    )
    const entries = rows.map(async (row) => {
      const of = (kind: data.MemberKind) =>
        members.filter((member) => member.relationId === row.id && member.kind === kind).map(({ memberId }) => memberId)
      const applicant = inPark(scope, row.applicantPark)
      const { ids: unseen } = await people.unseen(applicant)
      const [personIds, groupIds] = [of('person').filter((id) => !unseen.has(id)), of('personGroup').filter((id) => !unseen.has(id))]
      return [
        row.id,
        {
          personIds,
          groupIds,
          all: distinct([...personIds, ...(groupIds.length === 0 ? [] : await people.idsInGroups(applicant, groupIds))]),
        },
      ] as const
    })
    return new Map(await Promise.all(entries))
  }

  async function assertKnown(scope: Scope, personIds: readonly string[], groupIds: readonly string[]): Promise<void> {
    const [persons, known] = await Promise.all([people.facts(scope, personIds), groups.names(scope, groupIds)])
    const issues = [
      ...(persons.length < distinct(personIds).length ? [{ path: 'personIds', rule: 'unknown' }] : []),
      ...(known.length < distinct(groupIds).length ? [{ path: 'personGroupIds', rule: 'unknown' }] : []),
    ]
    if (issues.length > 0) throw new InvalidRequest(issues)
  }

  /** The park that is applied to: the one of the code, which a park id beside it must mean too. */
  function receiverOf(
    session: Session,
    { authorisationCode: code, applicationPark, receivingPark, parkId = receivingPark }: Applied,
  ): string {
    if (applicationPark != null && applicationPark !== session.scope.parkId)
      throw new InvalidRequest([{ path: 'applicationPark', rule: 'unknown' }])
    if (receivingPark != null && receivingPark !== parkId) throw new InvalidRequest([{ path: 'receivingPark', rule: 'unknown' }])
    if (code != null) {
      const node = organisation
        .tree()
        .parks()
        .find((park) => park.verificationCode === code)
      if (node === undefined || (parkId != null && parkId !== node.id))
        throw new InvalidRequest([{ path: 'authorisationCode', rule: 'verificationCodeUnknown' }])
      return node.id
    }
    if (parkId == null) throw new InvalidRequest([{ path: 'authorisationCode', rule: 'required' }])
    if (!organisation.parksBelow(session.organisationId).some(({ id }) => id === parkId))
      throw new InvalidRequest([{ path: 'parkId', rule: 'unknown' }])
    return parkId
  }

  const field = ({ authorisationCode: code }: Applied): string => (code == null ? 'parkId' : 'authorisationCode')

  async function sharedWith(scope: Scope, parkId: string | undefined): Promise<Shared[]> {
    const agreed = (await data.findOpenRelations(scope, db)).filter(
      (row) => row.status === 'agreed' && row.receiverPark === scope.parkId && (parkId === undefined || row.applicantPark === parkId),
    )
    const members = await personsOf(scope, agreed)
    const lists = await Promise.all(
      agreed.map(async (row) =>
        (await people.facts(inPark(scope, row.applicantPark), members.get(row.id)!.all)).map((facts): Shared => ({
          facts,
          parkId: row.applicantPark,
          since: row.decidedAt!,
        })),
      ),
    )
    return lists.flat()
  }

  async function present(scope: Scope, { facts, parkId, since }: Shared): Promise<AssociatedPerson> {
    const person = await people.read(inPark(scope, parkId), facts.id)
    const { id, name, workNumber, phone, gender, groupName, validFrom, validTo, faces } = person
    return {
      id,
      name,
      workNumber,
      phone,
      gender,
      groupName,
      validFrom,
      validTo,
      parkId,
      since,
      status: personStatusAt(facts, platform.clock.now()),
      parkName: parkOf(parkId)?.name ?? '',
      url: faces[0]?.url ?? '',
      thumbnail: faces[0]?.thumbnail ?? '',
    }
  }

  const holds = (text: string | null, wanted: string | undefined): boolean =>
    wanted === undefined || wanted === '' || (text ?? '').toLowerCase().includes(wanted.toLowerCase())
  const isNamed = (scope: Scope, name: string, wanted: string | undefined): boolean =>
    wanted === undefined || wanted === '' || isFoundBy(scope, name, wanted)

  return {
    async parks({ scope, organisationId }) {
      const taken = new Set((await data.findOpenRelations(scope, db)).map((row) => otherOf(scope, row)))
      return organisation
        .parksBelow(organisationId)
        .filter(({ id }) => id !== scope.parkId && !taken.has(id))
        .map(({ id, name, areaCode }) => ({ id, parkName: name, areaCode }))
    },
    async list({ scope, organisationId }, { page, size, ...filter }) {
      const managed = new Set([scope.parkId, ...organisation.parksBelow(organisationId).map(({ id }) => id)])
      const { content, total } = await data.listRelations(scope, db, filter, { page, size })
      const members = await personsOf(scope, content)
      const rows = content.map(async (row): Promise<ParkRelation> => {
        const { personIds, groupIds, all } = members.get(row.id)!
        const isOwn = row.applicantPark === scope.parkId
        const other = parkOf(otherOf(scope, row))
        const [persons, personGroups] = isOwn
          ? await Promise.all([people.describe(scope, personIds), groups.names(scope, groupIds)])
          : [[], []]
        return {
          id: row.id,
          direction: isOwn ? 'sent' : 'received',
          applicationPark: parkOf(row.applicantPark)?.name ?? '',
          receivingPark: parkOf(row.receiverPark)?.name ?? '',
          authorisationCode: (managed.has(row.receiverPark) && parkOf(row.receiverPark)?.verificationCode) || null,
          parkName: other?.name ?? '',
          areaCode: other?.areaCode ?? '',
          status: row.status as ParkRelation['status'],
          remark: row.remark,
          personCount: all.length,
          persons: persons.map(({ id, name }) => ({ id, name })),
          personGroups,
          personIds: persons.map(({ id }) => id),
          personGroupIds: personGroups.map(({ id }) => id),
          createdAt: row.createdAt,
          decidedAt: row.decidedAt,
          version: row.version,
        }
      })
      return { content: await Promise.all(rows), total, page, size }
    },
    async apply(session, fields) {
      const { scope } = session
      const receiverPark = receiverOf(session, fields)
      if (receiverPark === scope.parkId) refuse(1100001, field(fields))
      const [personIds, groupIds] = [distinct(fields.personIds), distinct(fields.personGroupIds)]
      await assertKnown(scope, personIds, groupIds)
      const id = newId()
      const duplicate = async (error: unknown): Promise<never> => {
        if (violatedConstraint(error) !== 'park_relation_open') throw error
        const open = (await data.findOpenRelations(scope, db)).find((row) => otherOf(scope, row) === receiverPark)
        return refuse(open?.status === 'agreed' ? 1100003 : 1100002, field(fields))
      }
      await platform
        .transaction(async (tx: Tx<RelationsTables>) => {
          await data.insertRelation(scope, tx, { id, receiverPark, remark: fields.remark }, platform.clock.now())
          await data.replaceMembers(scope, tx, id, 'person', personIds)
          await data.replaceMembers(scope, tx, id, 'personGroup', groupIds)
          await noteRelations(platform, tx, scope, [id])
          platform.audit.note({
            entity: 'parkRelation',
            id,
            label: parkOf(receiverPark)?.name ?? '',
            after: { status: 'applied', persons: personIds.length, personGroups: groupIds.length, remark: fields.remark },
          })
        })
        .catch(duplicate)
      return id
    },
    async change(scope, { id, version, ...sent }) {
      const row = await existing(scope, id)
      if (version !== undefined && version !== row.version) throw new Conflict(['version'])
      const isApplicant = row.applicantPark === scope.parkId
      // What is sent back as it was read is no change.
      const shown = isApplicant ? (await personsOf(scope, [row])).get(id)! : { personIds: [], groupIds: [] }
      const status = sent.status === row.status ? undefined : sent.status
      const personIds = areSame(sent.personIds, shown.personIds) ? undefined : sent.personIds
      const personGroupIds = areSame(sent.personGroupIds, shown.groupIds) ? undefined : sent.personGroupIds
      if (status !== undefined) {
        // Agreeing and refusing are for the park that was asked, dismissing is for both.
        const answers = status === 'agreed' || status === 'refused'
        const open = status === 'dismissed' ? row.status === 'agreed' : answers && row.status === 'applied' && !isApplicant
        if (!open) refuse(1100004)
      }
      const changesMembers = personIds !== undefined || personGroupIds !== undefined
      if (changesMembers) {
        if (!isApplicant || !['applied', 'agreed'].includes(row.status)) refuse(1100004)
        await assertKnown(scope, personIds ?? [], personGroupIds ?? [])
      }
      // Whoever does not exist for the asker stands in no list he sends, and stays.
      const { ids: unseen } = await people.unseen(scope)
      await platform.transaction(async (tx: Tx<RelationsTables>) => {
        const kept = async (kind: data.MemberKind): Promise<string[]> =>
          (await data.findMembers(scope, tx, [id])).flatMap((one) => (one.kind === kind && unseen.has(one.memberId) ? [one.memberId] : []))
        if (!(await data.updateRelation(scope, tx, row, status ?? null, platform.clock.now()))) throw new Conflict(['version'])
        if (personIds !== undefined) await data.replaceMembers(scope, tx, id, 'person', distinct([...personIds, ...(await kept('person'))]))
        if (personGroupIds !== undefined)
          await data.replaceMembers(scope, tx, id, 'personGroup', distinct([...personGroupIds, ...(await kept('personGroup'))]))
        await told(tx, row)
        platform.audit.note({
          entity: 'parkRelation',
          id,
          label: parkOf(otherOf(scope, row))?.name ?? '',
          before: { status: row.status },
          after: {
            status: status ?? row.status,
            ...(changesMembers && { persons: personIds?.length ?? null, personGroups: personGroupIds?.length ?? null }),
          },
        })
      })
    },
    async delete(scope, id) {
      const row = await existing(scope, id)
      const mayTakeBack = row.status === 'applied' && row.applicantPark === scope.parkId
      if (!mayTakeBack && row.status !== 'refused' && row.status !== 'dismissed') refuse(1100004)
      await platform.transaction(async (tx: Tx<RelationsTables>) => {
        await data.deleteRelation(scope, tx, id)
        await told(tx, row)
        platform.audit.note({ entity: 'parkRelation', id, label: parkOf(otherOf(scope, row))?.name ?? '', before: { status: row.status } })
      })
    },
    async associated(scope, { page, size, name, workNumber, parkId }) {
      const found = (await sharedWith(scope, parkId)).filter(
        ({ facts }) => isNamed(scope, facts.name, name) && holds(facts.workNumber, workNumber),
      )
      found.sort((a, b) => b.since - a.since || (a.facts.id < b.facts.id ? -1 : 1))
      const content = await Promise.all(found.slice((page - 1) * size, page * size).map((shared) => present(scope, shared)))
      return { content, total: found.length, page, size }
    },
    async associatedPerson(scope, id) {
      const found = (await sharedWith(scope, undefined)).find(({ facts }) => facts.id === id)
      if (found === undefined) throw new NotFound()
      return present(scope, found)
    },
    forget: (scope, kind, ids) =>
      platform.transaction(async (tx: Tx<RelationsTables>) => {
        for (const row of await data.deleteMembers(scope, tx, kind, ids)) await told(tx, row)
      }),
    async erasePark(open, scope) {
      const tx = open as Tx<RelationsTables>
      const rows = await data.deleteRelationsOfPark(scope, tx)
      for (const row of rows) await told(tx, row)
      await platform.history.erase(open, scope, ['parkRelation'])
      return { relations: rows.length }
    },
  }
}

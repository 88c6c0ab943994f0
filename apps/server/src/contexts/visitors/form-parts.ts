/** The parts of a form of a visit that name something of the park, or others who come along. */
import type { FieldIssue } from '@gatehouse/contract'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { sealPeer } from './details.ts'
import type { FormOrigin, Peer, StoredVisit, VisitFields } from './form-types.ts'
import type { PassRules } from './pass-rules.ts'
import type { Pictures } from './pictures.ts'

export const isFilled = (text: string | null | undefined): text is string => text != null && text !== ''

export function createFormParts(
  { crypto }: Pick<Platform, 'crypto'>,
  { people, groups, reading }: Pick<VisitorsDependencies, 'people' | 'groups' | 'reading'>,
  configuration: Configuration,
  passRules: PassRules,
  pictures: Pictures,
) {
  async function groupOf(scope: Scope, { visitorGroupId }: VisitFields, stored: StoredVisit | null): Promise<string> {
    if (visitorGroupId == null) return stored?.row.visitorGroupId ?? people.visitorGroup(scope)
    const [group] = await groups.types(scope, [visitorGroupId])
    if (group === undefined) throw new InvalidRequest([{ path: 'visitorGroupId', rule: 'unknown' }])
    if (group.type !== personGroupType.visitor) throw new InvalidRequest([{ path: 'visitorGroupId', rule: 'notAVisitorGroup' }])
    return visitorGroupId
  }

  /** Return the host; only staff can be visited. */
  async function hostOf(scope: Scope, { intervieweeId }: VisitFields, stored: StoredVisit | null, open: FormOrigin['open']) {
    if (intervieweeId == null)
      return { hostId: null, hostName: stored?.row.hostId === null ? stored.row.hostName : (open?.hostName ?? ''), groupId: null }
    const [person] = await people.facts(scope, [intervieweeId])
    if (person === undefined || person.kind !== 'staff') throw new InvalidRequest([{ path: 'intervieweeId', rule: 'unknown' }])
    const isSame = stored?.row.hostId === intervieweeId
    // A page shows the name as it was typed: the spelling of the register would say that there is such a person.
    return { hostId: intervieweeId, hostName: isSame ? stored.row.hostName : (open?.hostName ?? person.name), groupId: person.groupId }
  }

  /** Return access rules and methods: those of the form, else those there are, else those of the pass rules. */
  async function rightsOf(
    scope: Scope,
    fields: VisitFields,
    stored: StoredVisit | null,
    of: { hostGroupId: string | null; visitorGroupId: string },
    open: FormOrigin['open'],
  ): Promise<{ accessGroupIds: string[]; passMethods: number[] }> {
    const given = await passRules.match(scope, of)
    const chosen = <Value>(sent: readonly Value[] | null | undefined, before: readonly Value[] | undefined, byRule: Value[]): Value[] => [
      ...new Set(sent ?? ((before ?? []).length > 0 ? before! : byRule)),
    ]
    const accessGroupIds = chosen(fields.accessGroupIds, stored?.row.accessGroupIds, given.accessGroupIds)
    const passMethods = chosen<number>(fields.passMethods, stored?.row.passMethods, given.passMethods)
    if (open !== undefined) return { accessGroupIds, passMethods }
    const { needAuthorisation } = configuration.of(scope)
    const issues: FieldIssue[] = []
    if (needAuthorisation && accessGroupIds.length === 0) issues.push({ path: 'accessGroupIds', rule: 'required' })
    if (needAuthorisation && passMethods.length === 0) issues.push({ path: 'passMethods', rule: 'required' })
    if (issues.length > 0) throw new InvalidRequest(issues)
    const rules = (await reading.findStrategies(seeingAll(scope), accessGroupIds)).filter(({ kind }) => kind === 'visitor')
    // Where nobody is authorised, a rule that the visit has from before may be gone.
    const before = needAuthorisation ? [] : (stored?.row.accessGroupIds ?? [])
    if (accessGroupIds.some((id) => !rules.some((rule) => rule.id === id) && !before.includes(id)))
      throw new InvalidRequest([{ path: 'accessGroupIds', rule: 'unknown' }])
    if (needAuthorisation && passMethods.some((method) => !rules.some(({ methods }) => methods.includes(method))))
      throw new InvalidRequest([{ path: 'passMethods', rule: 'passMethodNotOffered' }])
    return { accessGroupIds: accessGroupIds.toSorted(), passMethods: passMethods.toSorted((one, other) => one - other) }
  }

  async function peersOf(scope: Scope, fields: VisitFields, stored: StoredVisit | null): Promise<Peer[]> {
    const before = new Map((stored?.peers ?? []).map((peer) => [peer.row.id, peer]))
    return Promise.all(
      fields.peers.map(async ({ id: sentId, name, phone, idNumber, facePhoto }, at) => {
        const own = before.get(sentId ?? '')
        if (sentId != null && own === undefined) throw new InvalidRequest([{ path: `peers.${at}.id`, rule: 'unknown' }])
        const id = own?.row.id ?? newId()
        const details = { phone, idNumber: isFilled(idNumber) ? idNumber : null }
        const photoFileId = await pictures.takeOptional(scope, facePhoto, own?.row.photoFileId ?? null, `peers.${at}.facePhoto`)
        // A companion of another name or photo is another person at the doors.
        const isSame = own !== undefined && own.row.name === name && own.row.photoFileId === photoFileId
        const personId = isSame ? own.row.personId : null
        return { ...details, row: { id, name, details: await sealPeer(crypto, scope, id, details), photoFileId, personId } }
      }),
    )
  }

  return { groupOf, hostOf, rightsOf, peersOf }
}

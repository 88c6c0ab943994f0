/** Handlers of the calls of visits. */
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { Language } from '@gatehouse/contract'
import { deletedIds } from '../../platform/http/deleted-ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { refusedBy } from '../../platform/http/refused-by.ts'
import type { Session } from '../../platform/session/session.ts'
import type { Acting } from './acting.ts'
import type { Changing } from './changing.ts'
import type { Configuration } from './configuration.ts'
import type { VisitCaller, VisitorsDependencies } from './dependencies.ts'
import type { Hosts } from './hosts.ts'
import type { Listing } from './listing.ts'
import type { PassRules } from './pass-rules.ts'
import { pictureOf, type Passes, type ShownPass } from './passes.ts'
import type { Registering } from './registering.ts'
import type { Removal } from './removal.ts'
import type { ReadVisit } from './visit-steps.ts'

export interface VisitServices {
  acting: Acting
  changing: Changing
  configuration: Configuration
  hosts: Hosts
  listing: Listing
  passes: Pick<Passes, 'passOf' | 'renew'>
  passRules: PassRules
  registering: Registering
  removal: Pick<Removal, 'delete'>
}

const callerOf = ({ operator, masking }: Session, language: Language): VisitCaller => ({ operator, masking, language })

/**
 * Do something with each of several visits. One that is refused does not stop the others; a single one is refused like any other call.
 * @throws for a single visit what `work` throws
 */
async function withEach(visits: readonly ReadVisit[], language: Language, work: (visit: ReadVisit) => Promise<void>) {
  const distinct = [...new Map(visits.map((visit) => [visit.id, visit])).values()]
  if (distinct.length === 1) {
    await work(distinct[0]!)
    return { changed: 1, refused: [] }
  }
  const refused: { id: string; code: number; reason: string }[] = []
  for (const visit of distinct) {
    try {
      await work(visit)
    } catch (error) {
      const { id, code, words } = refusedBy(visit.id, language, error, 'id')
      refused.push({ id, code: code ?? 400, reason: words })
    }
  }
  return { changed: distinct.length - refused.length, refused }
}

const pictured = async (pass: ShownPass | null) => ({ pass: pass && { ...pass, image: await pictureOf(pass.text) } })

const visitHandlers = (
  platform: Platform,
  { photos }: Pick<VisitorsDependencies, 'photos'>,
  { acting, changing, hosts, listing, passes, registering, removal }: VisitServices,
): MountedCall[] => [
  handler(visitorCalls.list, ({ scope, query }) => listing.list(scope, query)),
  handler(visitorCalls.valid, ({ scope, query }) => listing.valid(scope, query)),
  handler(visitorCalls.summary, ({ scope }) => listing.summary(scope)),
  handler(visitorCalls.read, ({ scope, query }) => listing.read(scope, query.id)),
  handler(visitorCalls.create, ({ scope, session, body, language }) => registering.create(scope, body, callerOf(session, language))),
  handler(visitorCalls.change, async ({ scope, session, body: { id, version, ...fields }, language }) => {
    await changing.change(scope, id, version, fields, callerOf(session, language))
    return { id }
  }),
  handler(visitorCalls.delete, async ({ scope, query, body }) => ({ deleted: await removal.delete(scope, deletedIds({ query, body })) })),
  handler(visitorCalls.block, async ({ scope, body: { ids, status } }) => {
    let changed = 0
    for (const id of new Set(ids)) if (await acting.setEnabled(scope, id, status === 1)) changed++
    return { changed }
  }),
  handler(visitorCalls.accept, ({ scope, body, language }) => withEach(body.visits, language, (visit) => acting.accept(scope, visit))),
  handler(visitorCalls.refuse, ({ scope, body, language }) =>
    withEach(body.visits, language, (visit) => acting.refuse(scope, visit, body.rejectReason)),
  ),
  handler(visitorCalls.revoke, ({ scope, body, language }) => withEach(body.visits, language, (visit) => acting.revoke(scope, visit))),
  handler(visitorCalls.signIn, async ({ scope, body: { visit, ...form } }) => ({
    id: visit.id,
    status: await acting.signIn(scope, visit, form),
  })),
  handler(visitorCalls.signOff, ({ scope, body: { visits, cardReturned, forced }, language }) =>
    withEach(visits, language, async (visit) => {
      await acting.signOff(scope, visit, { cardReturned: cardReturned ?? false, forced: forced ?? false })
    }),
  ),
  handler(visitorCalls.photo, async ({ scope, file, body }) => {
    if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
    const fileId = await photos.portrait(scope, file.bytes, 'file', body.faceIndex)
    return { url: platform.storage.address(scope, fileId, 'full'), thumbnail: platform.storage.address(scope, fileId, '96') }
  }),
  handler(visitorCalls.pass, async ({ scope, query }) => pictured(await passes.passOf(scope, query.id))),
  handler(visitorCalls.renewPass, async ({ scope, body }) => pictured(await passes.renew(scope, body.id))),
  handler(visitorCalls.hosts, ({ scope, query }) => hosts.named(scope, query.keyword)),
]

const settingHandlers = (
  { groups, strategies }: Pick<VisitorsDependencies, 'groups' | 'strategies'>,
  { configuration, hosts, passRules }: VisitServices,
): MountedCall[] => [
  handler(visitorConfigurationCalls.read, async ({ scope }) => configuration.of(scope)),
  handler(visitorConfigurationCalls.change, ({ scope, body }) => configuration.change(scope, body)),
  handler(visitorConfigurationCalls.readForm, async ({ scope }) => configuration.form(scope)),
  handler(visitorConfigurationCalls.changeForm, ({ scope, body }) => configuration.changeForm(scope, body)),
  handler(passRuleCalls.list, ({ scope, query }) => passRules.list(scope, query)),
  handler(passRuleCalls.read, ({ scope, query }) => passRules.read(scope, query.id)),
  handler(passRuleCalls.create, async ({ scope, body }) => ({ id: await passRules.create(scope, body) })),
  handler(passRuleCalls.change, async ({ scope, body }) => {
    await passRules.change(scope, body)
    return { id: body.id }
  }),
  handler(passRuleCalls.delete, async ({ scope, params }) => {
    await passRules.delete(scope, params.id)
    return { id: params.id }
  }),
  handler(passRuleCalls.match, async ({ scope, query: { intervieweeId = null, visitorGroupId = null } }) => {
    const hostGroupId = await hosts.groupOf(scope, intervieweeId)
    if (intervieweeId !== null && hostGroupId === null) throw new InvalidRequest([{ path: 'intervieweeId', rule: 'unknown' }])
    const types = visitorGroupId === null ? [] : await groups.types(scope, [visitorGroupId])
    if (visitorGroupId !== null && types[0]?.type !== personGroupType.visitor)
      throw new InvalidRequest([{ path: 'visitorGroupId', rule: 'notAVisitorGroup' }])
    const { accessGroupIds, passMethods } = await passRules.match(scope, { hostGroupId, visitorGroupId })
    const rules = await strategies.names(scope, 'visitor')
    return { accessGroups: rules.filter(({ id }) => accessGroupIds.includes(id)), passMethods }
  }),
]

export const visitorsHandlers = (platform: Platform, needs: VisitorsDependencies, services: VisitServices): MountedCall[] => [
  ...visitHandlers(platform, needs, services),
  ...settingHandlers(needs, services),
]

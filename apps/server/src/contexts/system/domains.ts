/** Domains: the names under which the installation is reached, their organisations, and their look. Every node keeps them in memory. */
import { z } from 'zod'
import { domainFault, type Domain, type lookCalls } from '@gatehouse/contract/system/look'
import { serialised } from '../../platform/async/turns.ts'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { defineEvent, on } from '../../platform/events/events.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import * as data from './domains-data.ts'
import type { StoredDomain } from './domains-data.ts'
import type { Pictures } from './pictures.ts'

export const domainsChanged = defineEvent('domains.changed', z.object({}))

type NewDomain = z.output<(typeof lookCalls)['addDomain']['body']>
type ChangedDomain = z.output<(typeof lookCalls)['changeDomain']['body']>

export interface Domains {
  start(): Promise<void>
  /** Return the domain that a `Host` header names. */
  at(host: string): StoredDomain | undefined
  /** Return the domain of an organisation, or of the nearest one above it that has one. */
  of(organisationId: string): StoredDomain | undefined
  /** Return the domains that the session may see. */
  list(session: Session, filter: { name?: string | undefined; address?: string | undefined }): Domain[]
  add(session: Session, scope: Scope, body: NewDomain): Promise<string>
  change(session: Session, scope: Scope, body: ChangedDomain): Promise<void>
  remove(session: Session, id: string): Promise<void>
}

/** Return host and port as a browser writes them: lower case, without the default port. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

/** Return the row to store for a domain that was sent. @throws Refusal 100415, 100416; InvalidRequest */
async function checkedDomain(
  organisation: OrganisationService,
  pictures: Pictures,
  domains: readonly StoredDomain[],
  session: Session,
  scope: Scope,
  body: NewDomain,
  before?: StoredDomain,
): Promise<Omit<StoredDomain, 'id' | 'version'>> {
  const address = body.address.replace(/\/+$/, '')
  const host = domainFault(body.address) === null ? hostOf(address) : ''
  if (host === '') refuse(100415, 'address')
  if (domains.some((one) => one.host === host && one.id !== before?.id)) refuse(100416, 'address')
  const organisationId = body.organisationId ?? before?.organisationId ?? session.organisationId
  if (organisation.get(organisationId) === undefined || !organisation.isBelow(organisationId, session.organisationId))
    throw new InvalidRequest([{ path: 'organisationId', rule: 'unknown' }])
  return {
    address,
    host,
    name: body.name,
    showType: body.showType,
    logoId: await pictures.published(scope, body.logo === null ? '' : body.logo, before?.logoId ?? null, 'logo', 'logo'),
    bigScreenLogoId: await pictures.published(
      scope,
      body.bigScreenLogo === null ? '' : body.bigScreenLogo,
      before?.bigScreenLogoId ?? null,
      'logo',
      'bigScreenLogo',
    ),
    organisationId,
    remark: body.remark,
  }
}

export function createDomains(platform: Platform, organisation: OrganisationService, pictures: Pictures): Domains {
  const db = platform.db
  let domains: StoredDomain[] = []
  const load = serialised(async () => {
    domains = await data.readDomainsUnscoped(db)
  })
  platform.events.consume({ name: 'system.domains', mode: 'everyNode', handlers: [on(domainsChanged, load)] })

  /** Return the owner of a domain: the root where its organisation was deleted. */
  const ownerOf = ({ organisationId }: StoredDomain): string =>
    organisation.get(organisationId) === undefined ? organisation.root().id : organisationId
  const sees = (session: Session, domain: StoredDomain): boolean => organisation.isBelow(ownerOf(domain), session.organisationId)

  function find(session: Session, id: string): StoredDomain {
    const found = domains.find((one) => one.id === id)
    if (found === undefined || !sees(session, found)) throw new NotFound()
    return found
  }

  async function write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    try {
      await platform.transaction(async (tx) => {
        await work(tx)
        await platform.events.announce(tx, domainsChanged, organisation.root().id, {})
      })
    } catch (error) {
      if (violatedConstraint(error) === 'domain_host') refuse(100416, 'address')
      throw error
    }
    await load()
  }

  const words = ({ address, name, showType, remark }: StoredDomain) => ({ address, name, showType, remark })
  const idsOf = (domain: Pick<StoredDomain, 'logoId' | 'bigScreenLogoId'> | null) =>
    domain === null ? [] : [domain.logoId, domain.bigScreenLogoId]

  return {
    start: load,
    at(host) {
      const requested = hostOf(`http://${host}`)
      return domains.find((one) => one.host === requested)
    },
    of(organisationId) {
      for (
        let node = organisation.get(organisationId);
        node !== undefined;
        node = node.parentId === null ? undefined : organisation.get(node.parentId)
      ) {
        const found = domains.find((one) => ownerOf(one) === node.id)
        if (found !== undefined) return found
      }
      return undefined
    },
    list: (session, { name = '', address = '' }) =>
      domains
        .filter(
          (one) =>
            sees(session, one) &&
            one.name.toLowerCase().includes(name.toLowerCase()) &&
            one.address.toLowerCase().includes(address.toLowerCase()),
        )
        .map((one) => ({
          id: one.id,
          address: one.address,
          name: one.name,
          logo: pictures.publicAddress(one.logoId),
          bigScreenLogo: pictures.publicAddress(one.bigScreenLogoId),
          showType: one.showType,
          organisationId: ownerOf(one),
          organisationName: organisation.get(ownerOf(one))!.name,
          remark: one.remark,
          version: one.version,
        })),
    async add(session, scope, body) {
      const domain = { id: newId(), ...(await checkedDomain(organisation, pictures, domains, session, scope, body)) }
      await write(async (tx) => {
        await data.insertDomainUnscoped(tx, domain, platform.clock.now())
        await pictures.exchange(tx, [], idsOf(domain))
        platform.audit.note({ entity: 'domain', id: domain.id, label: domain.address, after: domain })
      })
      return domain.id
    },
    async change(session, scope, body) {
      const before = find(session, body.id)
      if (body.version !== undefined && body.version !== before.version) throw new Conflict(['address'])
      const after = {
        id: before.id,
        version: before.version,
        ...(await checkedDomain(organisation, pictures, domains, session, scope, { ...body, ...leftAsItWas(words(before), body) }, before)),
      }
      await write(async (tx) => {
        if (!(await data.updateDomainUnscoped(tx, after, platform.clock.now()))) throw new Conflict(['address'])
        await pictures.exchange(tx, idsOf(before), idsOf(after))
        platform.audit.note({ entity: 'domain', id: before.id, label: after.address, before: { ...before }, after })
      })
    },
    async remove(session, id) {
      const before = find(session, id)
      await write(async (tx) => {
        if (!(await data.deleteDomainUnscoped(tx, id))) throw new NotFound()
        await pictures.exchange(tx, idsOf(before), [])
        platform.audit.note({ entity: 'domain', id, label: before.address, before: { ...before } })
      })
    },
  }
}

/** Pass rules: which access rules and methods a visit gets whose form names none. */
import type { PassRule, passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import * as data from './pass-rules-data.ts'

type Fields = OutputOf<(typeof passRuleCalls)['create']['body']>
type Change = OutputOf<(typeof passRuleCalls)['change']['body']>

/** What a pass rule gives. */
export interface Given {
  accessGroupIds: string[]
  passMethods: number[]
}

export interface PassRules {
  list(scope: Scope, query: { name?: string | undefined; page: number; size: number }): Promise<DataOf<(typeof passRuleCalls)['list']>>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<PassRule>
  /** @throws Refusal 900004; InvalidRequest for what is not there or of another kind */
  create(scope: Scope, fields: Fields): Promise<string>
  /** @throws as create; NotFound; Conflict */
  change(scope: Scope, change: Change): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  /** Return what the rules give a visitor of this host and group: those that name them most closely, together. */
  match(scope: Scope, of: { hostGroupId: string | null; visitorGroupId: string | null }): Promise<Given>
}

/** Return how closely a rule names a group: 0 not at all, 1 by naming none, more the deeper the group it names. */
function closeness(named: readonly string[], path: readonly string[]): number {
  if (named.length === 0) return 1
  const depths = path.flatMap((id, depth) => (named.includes(id) ? [depth + 2] : []))
  return Math.max(0, ...depths)
}

/** Return a group with those above it, from the top. */
function pathOf(rows: readonly { id: string; parentId: string | null }[], id: string | null): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const path: string[] = []
  for (let row = byId.get(id ?? ''); row !== undefined; row = byId.get(row.parentId ?? '')) path.unshift(row.id)
  return path
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

export function createPassRules(
  platform: Platform,
  { groups, strategies }: Pick<VisitorsDependencies, 'groups' | 'strategies'>,
): PassRules {
  const db = platform.db

  async function present(scope: Scope, rows: readonly data.PassRuleRow[]): Promise<PassRule[]> {
    const [rules, named] = await Promise.all([
      strategies.names(scope, 'visitor'),
      groups.names(scope, distinct(rows.flatMap((row) => [...row.hostGroupIds, ...row.visitorGroupIds]))),
    ])
    const among = (all: readonly { id: string; name: string }[], ids: readonly string[]) => all.filter(({ id }) => ids.includes(id))
    return rows.map((row) => ({
      ...row,
      hostGroups: among(named, row.hostGroupIds),
      visitorGroups: among(named, row.visitorGroupIds),
      accessGroups: among(rules, row.accessGroupIds),
    }))
  }

  /** @throws InvalidRequest for each field that names something this park does not have, or of another kind */
  async function check(scope: Scope, { hostGroupIds, visitorGroupIds, accessGroupIds }: Omit<data.PassRuleValues, 'name'>): Promise<void> {
    const [rules, types] = await Promise.all([
      strategies.names(scope, 'visitor'),
      groups.types(scope, distinct([...hostGroupIds, ...visitorGroupIds])),
    ])
    const typeOf = new Map(types.map(({ id, type }) => [id, type]))
    const issues = [
      ...(hostGroupIds.some((id) => typeOf.get(id) !== personGroupType.staff) ? [{ path: 'hostGroupIds', rule: 'unknown' }] : []),
      ...(visitorGroupIds.some((id) => typeOf.get(id) !== personGroupType.visitor)
        ? [{ path: 'visitorGroupIds', rule: 'notAVisitorGroup' }]
        : []),
      ...(accessGroupIds.some((id) => !rules.some((one) => one.id === id)) ? [{ path: 'accessGroupIds', rule: 'unknown' }] : []),
    ]
    if (issues.length > 0) throw new InvalidRequest(issues)
  }

  const clean = (values: data.PassRuleValues): data.PassRuleValues => ({
    name: values.name,
    hostGroupIds: distinct(values.hostGroupIds),
    visitorGroupIds: distinct(values.visitorGroupIds),
    accessGroupIds: distinct(values.accessGroupIds),
    passMethods: distinct(values.passMethods),
  })

  const refuseTaken = (error: unknown): never => {
    if (violatedConstraint(error) === 'visitor_pass_rule_name') refuse(900004, 'name')
    throw error
  }

  return {
    async list(scope, query) {
      const { content, total } = await data.listPassRules(scope, db, query)
      return { total, content: await present(scope, content), page: query.page, size: query.size }
    },
    async read(scope, id) {
      const row = await data.findPassRule(scope, db, id)
      if (row === undefined) throw new NotFound()
      return (await present(scope, [row]))[0]!
    },
    async create(scope, fields) {
      const values = clean(fields)
      await check(scope, values)
      const id = newId()
      await platform
        .transaction(async (tx) => {
          await data.insertPassRule(scope, tx, id, values, platform.clock.now())
          platform.audit.note({ entity: 'visitorPassRule', id, label: values.name, after: { ...values } })
        })
        .catch(refuseTaken)
      return id
    },
    async change(scope, { id, version, ...change }) {
      const row = await data.findPassRule(scope, db, id)
      if (row === undefined) throw new NotFound()
      const { name, hostGroupIds, visitorGroupIds, accessGroupIds, passMethods } = row
      const before = { name, hostGroupIds, visitorGroupIds, accessGroupIds, passMethods }
      const values = clean(leftAsItWas<data.PassRuleValues>(before, change))
      await check(scope, values)
      await platform
        .transaction(async (tx) => {
          if (!(await data.updatePassRule(scope, tx, { id, version: version ?? row.version }, values, platform.clock.now())))
            throw new Conflict(['version'])
          platform.audit.note({ entity: 'visitorPassRule', id, label: values.name, before, after: { ...values } })
        })
        .catch(refuseTaken)
    },
    async delete(scope, id) {
      const row = await data.findPassRule(scope, db, id)
      await platform.transaction(async (tx) => {
        if (row === undefined || !(await data.deletePassRule(scope, tx, id))) throw new NotFound()
        platform.audit.note({ entity: 'visitorPassRule', id, label: row.name, before: { name: row.name } })
      })
    },
    async match(visible, { hostGroupId, visitorGroupId }) {
      const scope = seeingAll(visible)
      const [rules, rows, offered] = await Promise.all([
        data.allPassRules(scope, db),
        groups.rows(scope),
        strategies.names(scope, 'visitor'),
      ])
      const [hostPath, visitorPath] = [pathOf(rows, hostGroupId), pathOf(rows, visitorGroupId)]
      const scored = rules.flatMap((rule) => {
        const [host, visitor] = [closeness(rule.hostGroupIds, hostPath), closeness(rule.visitorGroupIds, visitorPath)]
        return host === 0 || visitor === 0 ? [] : [{ rule, host, visitor }]
      })
      const host = Math.max(0, ...scored.map((one) => one.host))
      const ofHost = scored.filter((one) => one.host === host)
      const visitor = Math.max(0, ...ofHost.map((one) => one.visitor))
      const closest = ofHost.filter((one) => one.visitor === visitor).map(({ rule }) => rule)
      const existing = new Set(offered.map(({ id }) => id))
      return {
        accessGroupIds: distinct(closest.flatMap(({ accessGroupIds }) => accessGroupIds)).filter((id) => existing.has(id)),
        passMethods: distinct(closest.flatMap(({ passMethods }) => passMethods)).toSorted((one, other) => one - other),
      }
    },
  }
}

/**
 * The table of the history, and the first revision of every existing entity. It names tables of contexts as they are at this migration.
 * With a revision from before the first change, answers about that entity are complete.
 */
import { sql } from 'kysely'
import type { ContextMigration } from './migrations.ts'

/** Settings of each kind of entity as its context writes them: `select` returns entity_id, park_id and content. */
const BACKFILL: Record<string, string> = {
  park: `SELECT id, id, jsonb_build_object('zone', zone) FROM organisation WHERE type = 300`,
  personGroup: `SELECT id, park_id, jsonb_build_object('parentId', parent_id) FROM person_group`,
  person: `SELECT id, park_id, jsonb_build_object('enabled', enabled, 'groupId', group_id,
    'validFrom', round(extract(epoch FROM valid_from) * 1000)::bigint,
      'validTo', round(extract(epoch FROM valid_to) * 1000)::bigint) FROM person`,
  deviceGroup: `SELECT id, park_id, jsonb_build_object('parentId', parent_id) FROM device_group`,
  device: `SELECT id, park_id, jsonb_build_object('groupId', group_id, 'direction', direction, 'type', type) FROM device`,
  timeRule: `SELECT id, park_id, jsonb_build_object('periods', periods, 'allowedExceptionDates', to_jsonb(allowed_dates),
    'forbiddenExceptionDates', to_jsonb(forbidden_dates), 'effectiveDate', effective_date) FROM time_rule`,
  strategy: `SELECT id, park_id, jsonb_build_object('methods', to_jsonb(methods),
    'validFrom', round(extract(epoch FROM valid_from) * 1000)::bigint, 'validTo', round(extract(epoch FROM valid_to) * 1000)::bigint,
    'timeRuleIds', (SELECT coalesce(jsonb_agg(time_rule_id ORDER BY time_rule_id), '[]')
      FROM strategy_time_rule WHERE strategy_id = strategy.id),
    'members', ${membersOf('person')}, 'personGroupIds', ${membersOf('personGroup')},
    'deviceIds', ${membersOf('device')}, 'deviceGroupIds', ${membersOf('deviceGroup')}) FROM strategy`,
}

function membersOf(kind: string): string {
  return `(SELECT coalesce(jsonb_agg(member_id ORDER BY member_id), '[]')
    FROM strategy_member WHERE strategy_id = strategy.id AND kind = '${kind}')`
}

export const historyMigration: ContextMigration = {
  name: '20261120T2130-platform-history',
  async up(db) {
    await sql`CREATE TABLE history (
      entity text NOT NULL, entity_id uuid NOT NULL, revision bigint NOT NULL, park_id uuid NOT NULL,
      valid_from timestamptz(3) NOT NULL, valid_to timestamptz(3), content jsonb NOT NULL,
      PRIMARY KEY (entity, entity_id, revision), CHECK (valid_to >= valid_from))`.execute(db)
    await sql`CREATE INDEX history_park ON history (park_id, entity, valid_from)`.execute(db)
    await sql`CREATE TABLE history_complete (one boolean PRIMARY KEY DEFAULT true CHECK (one), since timestamptz(3) NOT NULL)`.execute(db)
    await sql`INSERT INTO history_complete (since) VALUES (now())`.execute(db)
    for (const [entity, select] of Object.entries(BACKFILL))
      await sql`INSERT INTO history (entity, entity_id, revision, park_id, valid_from, content)
        SELECT ${entity}, entity_id, 1, park_id, now(), content FROM (${sql.raw(select)}) AS there (entity_id, park_id, content)`.execute(
        db,
      )
  },
  columns: {
    history: {
      entity: 'none',
      entity_id: 'none',
      revision: 'none',
      park_id: 'none',
      valid_from: 'none',
      valid_to: 'none',
      content: 'none',
    },
    history_complete: { one: 'none', since: 'none' },
  },
}

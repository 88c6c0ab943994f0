/**
 * Demo campuses of version 0.1, which marked only the park. Their things are recognised by the codes, numbers and names under which they
 * were made. The columns of `organisation` that noted the demo stay for servers of that version beside this one.
 */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

const PERSON_GROUPS = [
  '园区运营中心',
  '安保部',
  '秩序维护部',
  '工程部',
  '客户服务部',
  '保洁绿化部',
  '海澜科技',
  '研发部',
  '产品部',
  '市场部',
  '行政人事部',
  '启明生物',
  '实验室',
  '质量部',
  '生产部',
  '驻场服务商',
  '餐饮服务',
  '物流配送',
]
const DEVICE_GROUPS = ['东门', '南门']
const TIME_RULES = ['办公时间', '后勤时间', '夜班']
const STRATEGIES = ['安保人员 全天通行', '秩序维护 全天通行', '海澜科技 办公时间', '启明生物 办公时间', '生产部 夜班', '后勤与服务商']

/** Conditions that distinguish the demo's rows of each table from those of others. */
const THINGS = [
  ['person', 'person', sql`work_number ~ '^BH0([01][0-9]{2}|200)$'`],
  ['device', 'device', sql`code IN ('DEMO-1', 'DEMO-2', 'DEMO-3')`],
  ['personGroup', 'person_group', sql`name = ANY(${sql.val(PERSON_GROUPS)}::text[])`],
  ['deviceGroup', 'device_group', sql`name = ANY(${sql.val(DEVICE_GROUPS)}::text[])`],
  ['timeRule', 'time_rule', sql`name = ANY(${sql.val(TIME_RULES)}::text[])`],
  ['strategy', 'strategy', sql`name = ANY(${sql.val(STRATEGIES)}::text[])`],
] as const

export const unmarkedMigration: ContextMigration = {
  name: '20261126T1816-demo-unmarked',
  async up(db) {
    await sql`INSERT INTO demo (park_id, state, done, total)
      SELECT id, CASE WHEN demo_done < demo_total THEN 'preparing' ELSE 'ready' END, demo_done, demo_total
      FROM organisation WHERE demo_done IS NOT NULL AND demo_total IS NOT NULL`.execute(db)
    for (const [entity, table, isDemos] of THINGS)
      await sql`INSERT INTO demo_thing (park_id, entity, id)
        SELECT park_id, ${entity}, id FROM ${sql.table(table)} WHERE park_id IN (SELECT park_id FROM demo) AND ${isDemos}`.execute(db)
  },
  columns: {},
}

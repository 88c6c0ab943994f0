import { caseCalls } from '@gatehouse/contract/alarms/cases'
import { escalationCalls } from '@gatehouse/contract/alarms/escalation'
import { ruleAlarmCalls } from '@gatehouse/contract/alarms/rule-alarms'
import { temperatureAlarmCalls } from '@gatehouse/contract/alarms/temperature-alarms'
import { accessResult, alarmHandlingStatus, alarmHandlingStatusAlt, failReason } from '@gatehouse/contract/enums'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import { until } from '../until.ts'
import type { Given } from '../requests.ts'
import type { CallCase, Ground } from './case.ts'

/** Let a person with a fever who left be refused at a door, which is an alarm of each kind. */
async function alarms({ world, site }: Ground): Promise<{ rule: string; temperature: string }> {
  const [person, device] = [await site.person(), await site.device()]
  const record = passage(1, {
    occurredAt: world.clock.now(),
    personId: person.id,
    personName: person.name,
    result: accessResult.rejected,
    failReason: failReason.personReturned,
    temperature: 38.5,
    temperatureStatus: 1,
  })
  const { ingest } = world.server.contexts.records
  await ingest(
    { deviceId: device.id, parkId: site.park.id },
    { epoch: 'alarming', oldestSeq: 1, sentAt: world.clock.now(), records: [record] },
  )
  const body = { deviceId: device.id }
  return until('the alarms', async () => {
    const [rule] = (await site.call(ruleAlarmCalls.list, { body })).content
    const [temperature] = (await site.call(temperatureAlarmCalls.list, { body })).content
    return rule && temperature && { rule: rule.id, temperature: temperature.id }
  })
}
const rule = async (ground: Ground) => ({ id: (await alarms(ground)).rule })
const temperature = async (ground: Ground) => ({ id: (await alarms(ground)).temperature })

/** Let there be a row in each list. */
async function listed(ground: Ground): Promise<Given> {
  await alarms(ground)
  return {}
}

export const cases: readonly CallCase[] = [
  { call: ruleAlarmCalls.list, given: listed },
  {
    call: ruleAlarmCalls.dispose,
    given: async (ground) => ({ ...(await rule(ground)), status: alarmHandlingStatusAlt.ignored }),
  },
  { call: temperatureAlarmCalls.list, given: listed },
  { call: temperatureAlarmCalls.read, given: temperature },
  {
    call: temperatureAlarmCalls.handle,
    given: async (ground) => ({ ...(await temperature(ground)), status: alarmHandlingStatus.dealing }),
  },
  { call: escalationCalls.save, needs: { emails: [] }, apart: true },
  { call: caseCalls.export, given: async (ground) => ({ ...(await rule(ground)), kind: 'rule' }), foreign: false },
]

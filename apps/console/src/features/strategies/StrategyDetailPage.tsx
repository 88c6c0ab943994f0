/** /passStrategyDetail?id=: one strategy, with the number of persons and doors it reaches. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { strategyCalls, type Strategy } from '@gatehouse/contract/strategies/calls'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { accessMethod, authorisedObject, strategyKind } from '@gatehouse/contract/enums/access'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag, StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { formOf } from './addresses.ts'
import { Names } from './Names.tsx'
import { StrategyValidity } from './StrategyValidity.tsx'
import { useDeleteStrategy } from './useDeleteStrategy.tsx'
import styles from './strategies.module.css'

export default function StrategyDetailPage() {
  const [search] = useSearchParams()
  const strategy = useRead(strategyCalls.read, { query: { id: search.get('id') ?? '' } })
  return <DetailPage query={strategy}>{(found) => <Detail strategy={found} />}</DetailPage>
}

function Detail({ strategy }: { strategy: Strategy }) {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const label = useEnumLabel()
  const mayOpenPerson = useMay('person.list')
  const mayOpenDoor = useMay('device.list')
  const remove = useDeleteStrategy(() => void navigate(path('passStrategy')))
  const {
    id,
    name,
    kind,
    isDefault,
    persons,
    personGroups,
    devices,
    deviceGroups,
    accessGroups,
    timeRules,
    methods,
    personCount,
    deviceCount,
  } = strategy
  /** The kind; shown only where more than one is built. */
  const kindFact: [string, ReactNode][] = BUILT_STRATEGY_KINDS.length > 1 ? [[t('kind'), <EnumTag of={strategyKind} value={kind} />]] : []
  return (
    <Screen
      title={name}
      note={isDefault && <StatusTag status="info">{t('default')}</StatusTag>}
      actions={
        <>
          {!isDefault && (
            <Button danger type="text" onClick={() => remove(strategy)}>
              {t('delete')}
            </Button>
          )}
          <Button onClick={() => void navigate(path('syncStatus', { id }))}>{t('synchronisation:title')}</Button>
          <Button type="primary" icon={<EditOutlined />} onClick={() => void navigate(formOf(id))}>
            {t('edit')}
          </Button>
        </>
      }
    >
      <p className={styles.sum}>
        {t('reaches', { persons: t('persons', { count: personCount }), doors: t('doors', { count: deviceCount }) })}
      </p>
      <Section title={t('whom')}>
        <Names
          empty={t('reachesNobody')}
          groups={personGroups}
          members={persons.map((one) => ({ ...one, ...(mayOpenPerson && { to: path('staffDetails', { id: one.id }) }) }))}
        />
      </Section>
      <Section title={t('where')}>
        <Names
          empty={t('reachesNoDoor')}
          groups={[...accessGroups, ...deviceGroups]}
          members={devices.map((one) => ({ ...one, ...(mayOpenDoor && { to: path('deviceDetails', { deviceId: one.id }) }) }))}
        />
      </Section>
      <Section title={t('when')}>
        <Names empty="" groups={[]} members={timeRules.map((rule) => ({ ...rule, to: path('timeRuleDetail', { id: rule.id }) }))} />
      </Section>
      <Section title={t('otherwise')}>
        <Facts
          facts={[
            [t('whoPasses'), <EnumTag of={authorisedObject} value={strategy.authorizedObject} />],
            [t('how'), methods.map((method) => label(accessMethod, method)).join(t('common:listSeparator'))],
            [t('validity'), <StrategyValidity from={strategy.validFrom} to={strategy.validTo} />],
            ...kindFact,
            [t('updatedAt'), <RelativeTime at={strategy.updatedAt} />],
          ]}
        />
      </Section>
    </Screen>
  )
}

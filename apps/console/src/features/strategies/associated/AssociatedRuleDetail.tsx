/** One associated rule, with the number of persons and doors it reaches. */
import { EditOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { associatedRuleCalls, type AssociatedRule } from '@gatehouse/contract/strategies/associated-rules'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { accessMethod, strategyKind } from '@gatehouse/contract/enums/access'
import { DetailPage, Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { useRead } from '../../../api/query.ts'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMay } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { Names } from '../Names.tsx'
import { StrategyValidity } from '../StrategyValidity.tsx'
import styles from '../strategies.module.css'
import { formOf, useDeleteAssociatedRule } from './associatedRules.tsx'
import { ConfirmEverybody } from './UnconfirmedRules.tsx'
import own from './associated.module.css'

export function AssociatedRuleDetail({ id }: { id: string }) {
  const rule = useRead(associatedRuleCalls.read, { query: { id } })
  return <DetailPage query={rule}>{(found) => <Detail rule={found} />}</DetailPage>
}

function Detail({ rule }: { rule: AssociatedRule }) {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const label = useEnumLabel()
  const mayOpenPerson = useMay('person')
  const mayOpenDoor = useMay('device.list')
  const mayOpenRule = useMay('access.rule')
  const remove = useDeleteAssociatedRule(() => void navigate(path('associatedRule')))
  const {
    id,
    name,
    kind,
    parkName,
    linked,
    everybody,
    everybodyConfirmed,
    persons,
    personGroups,
    devices,
    deviceGroups,
    timeRules,
    methods,
    personCount,
    deviceCount,
  } = rule
  const isVisitor = kind === 'visitor'
  /** The kind; shown only where more than one is built. */
  const kindFact: [string, ReactNode][] = BUILT_STRATEGY_KINDS.length > 1 ? [[t('kind'), <EnumTag of={strategyKind} value={kind} />]] : []
  return (
    <Screen
      title={name}
      note={parkName}
      actions={
        <>
          <Button danger type="text" onClick={() => remove(rule)}>
            {t('delete')}
          </Button>
          {!isVisitor && (
            <Button onClick={() => void navigate(path('associatedRuleSyncStatus', { id }))}>{t('synchronisation:title')}</Button>
          )}
          <Button type="primary" icon={<EditOutlined />} onClick={() => void navigate(formOf({ id, kind }))}>
            {t('edit')}
          </Button>
        </>
      }
    >
      {!linked && <Alert className={styles.sum ?? ''} type="warning" showIcon title={t('associated.linkEndedHint')} />}
      {linked && isVisitor && <Alert className={styles.sum ?? ''} type="info" showIcon title={t('associated.visitorHint')} />}
      {linked && !isVisitor && (
        <p className={styles.sum}>
          {t('associated.reaches', {
            park: parkName,
            persons: t('persons', { count: personCount }),
            doors: t('doors', { count: deviceCount }),
          })}
        </p>
      )}
      {linked && !everybodyConfirmed && (
        <Alert
          className={own.unconfirmed ?? ''}
          type="warning"
          showIcon
          title={t('associated.unconfirmed.asks', { park: parkName })}
          action={<ConfirmEverybody rule={rule} />}
        />
      )}
      {!isVisitor && (
        <Section title={t('whom')}>
          {everybody ? (
            <p>{t('associated.everybodyOf', { park: parkName })}</p>
          ) : (
            <Names
              empty={t('reachesNobody')}
              groups={personGroups}
              members={persons.map((one) => ({ ...one, ...(mayOpenPerson && { to: path('associatedPersonDetail', { id: one.id }) }) }))}
            />
          )}
        </Section>
      )}
      <Section title={t('where')}>
        <Names
          empty={t('reachesNoDoor')}
          groups={deviceGroups}
          members={devices.map((one) => ({ ...one, ...(mayOpenDoor && { to: path('deviceDetails', { deviceId: one.id }) }) }))}
        />
      </Section>
      <Section title={t('when')}>
        <Names
          empty=""
          groups={[]}
          members={timeRules.map((one) => ({ ...one, ...(mayOpenRule && { to: path('timeRuleDetail', { id: one.id }) }) }))}
        />
      </Section>
      <Section title={t('otherwise')}>
        <Facts
          facts={[
            [t('associated.park'), parkName],
            [t('how'), methods.map((method) => label(accessMethod, method)).join(t('common:listSeparator'))],
            [t('validity'), <StrategyValidity from={rule.validFrom} to={rule.validTo} />],
            ...kindFact,
            [t('updatedAt'), <RelativeTime at={rule.updatedAt} />],
          ]}
        />
      </Section>
    </Screen>
  )
}

/** Whether one has a second factor, and what can be done about it. */
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { SecondFactorState as State } from '@gatehouse/contract/identity/second-factor'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import type { Purpose } from './useSecondFactor.ts'
import styles from './account.module.css'

/** As many as may be left before one is told. */
const FEW = 2

interface SecondFactorStateProps {
  state: State
  choose: (purpose: Purpose) => void
}

export function SecondFactorState({ state, choose }: SecondFactorStateProps) {
  const { t } = useTranslation('account')
  if (!state.enrolled)
    return (
      <>
        <p>{t('secondFactor.why')}</p>
        <p className={styles.hint}>{t('secondFactor.needsApp')}</p>
        {state.demanded && <Alert type="warning" showIcon title={t('secondFactor.demanded')} />}
      </>
    )
  const left = state.recoveryCodesLeft
  return (
    <>
      <p>{t('secondFactor.onWords')}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('secondFactor.state')}</dt>
          <dd>
            <StatusTag status="ok">{t('secondFactor.on')}</StatusTag> {state.since !== null && <DateOnly at={state.since} />}
          </dd>
        </div>
        <div>
          <dt>{t('secondFactor.codesLeft')}</dt>
          <dd>{t('secondFactor.codes', { count: left })}</dd>
        </div>
      </dl>
      {left <= FEW && <Alert type="warning" showIcon title={t('secondFactor.fewCodes')} />}
      <div className={styles.ways}>
        <Button onClick={() => choose('change')}>{t('secondFactor.change.open')}</Button>
        <Button onClick={() => choose('renew')}>{t('secondFactor.renew.open')}</Button>
        {!state.demanded && (
          <Button danger onClick={() => choose('remove')}>
            {t('secondFactor.remove.open')}
          </Button>
        )}
      </div>
      {state.demanded && <p className={styles.hint}>{t('secondFactor.notRemoved')}</p>}
    </>
  )
}

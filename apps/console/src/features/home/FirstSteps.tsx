/** An empty park: the three steps until the first door opens, those done ticked off. */
import { CheckOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { ScreenName } from '../../screens.ts'
import { hadPassages, hasBegun } from './figures.ts'
import type { Cockpit } from './useCockpit.ts'
import { Way } from './Way.tsx'
import styles from './home.module.css'

interface Step {
  key: 'person' | 'device' | 'permission'
  done: boolean
  screen: ScreenName
}

/** Steps of a park that is not in use yet; empty once it is, or while that is not known. */
export function stepsOf({ today, devices, people, permitted }: Cockpit): Step[] {
  if (!today || !devices || !people || permitted === undefined || hasBegun(today) || hadPassages(today)) return []
  const steps: Step[] = [
    { key: 'person', done: people.total > 0, screen: 'staffAdd' },
    { key: 'device', done: devices.total > 0, screen: 'deviceList' },
    { key: 'permission', done: permitted, screen: 'passStrategy' },
  ]
  return steps.every(({ done }) => done) ? [] : steps
}

export function FirstSteps({ steps }: { steps: Step[] }) {
  const { t } = useTranslation('home')
  const next = steps.find(({ done }) => !done)
  return (
    <section className={styles.steps}>
      <h2>{t('steps.title')}</h2>
      <p>{t('steps.words')}</p>
      <ol>
        {steps.map(({ key, done, screen }, at) => (
          <li key={key} data-done={done || undefined} aria-current={key === next?.key ? 'step' : undefined}>
            <b aria-hidden="true">{done ? <CheckOutlined /> : at + 1}</b>
            <h3>{t(`steps.${key}.title`)}</h3>
            <p>{t(`steps.${key}.words`)}</p>
            {done ? (
              <span className={styles.stepDone}>{t('steps.done')}</span>
            ) : (
              <Way screen={screen} className={key === next?.key ? styles.stepNext : styles.stepLater}>
                {t(`steps.${key}.action`)}
              </Way>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

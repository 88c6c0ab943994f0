/** The page, one step at a time: the form, or the outcome. */
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../shell/Mark.tsx'
import { HandInForm } from './HandInForm.tsx'
import { wordsOf } from './texts.ts'
import { useHandIn } from './useHandIn.ts'

export function EnrolmentPage({ token }: { token: string }) {
  const { t } = useTranslation('enrolment')
  const handIn = useHandIn(token)
  const { stage } = handIn
  const parkName = 'link' in stage ? stage.link.parkName : ''
  return (
    <>
      <header>
        <Mark size={28} />
        <b>{parkName || 'Gatehouse'}</b>
      </header>
      <main>
        {stage.at === 'opening' && (
          <p role="status" className="waiting">
            {t('phone.opening')}
          </p>
        )}
        {stage.at === 'ended' && <Outcome mark="!" title={t('phone.ended')} words={t('phone.endedWords')} />}
        {stage.at === 'unreachable' && (
          <Outcome mark="!" title={t('phone.unreachable')} words={wordsOf(stage.refusal)}>
            <button type="button" className="main" onClick={handIn.again}>
              {t('phone.again')}
            </button>
          </Outcome>
        )}
        {stage.at === 'form' && <HandInForm link={stage.link} handIn={handIn} />}
        {stage.at === 'done' && (
          <Outcome mark="✓" title={t('phone.done')} words={t('phone.doneWords', { park: parkName })}>
            <ol>
              <li>{t('phone.nextCheck')}</li>
              <li>{t('phone.nextPass')}</li>
              <li>{t('phone.nextQuestion')}</li>
            </ol>
            {stage.link.personName === '' && (
              <button type="button" onClick={() => handIn.another(stage.link)}>
                {t('phone.another')}
              </button>
            )}
          </Outcome>
        )}
      </main>
    </>
  )
}

/** The outcome and what happens next; announced at once by screen readers. */
function Outcome({ mark, title, words, children }: { mark: string; title: string; words: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="said" data-mark={mark}>
      <span aria-hidden="true">{mark}</span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{words}</p>
      {children}
    </section>
  )
}

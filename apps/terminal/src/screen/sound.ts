/** Sounds of a verdict: the sound or the words of the settings, otherwise a tone of the terminal's own. */

export interface SoundSettings {
  /** 0 to 100; at 0 nothing is played. */
  volume: number
  /** Spoken to an admitted person; empty: nothing. */
  prompt: string
  /** Address of the sound played instead; null if there is none. */
  file: string | null
  /** The page's language, such as `zh-CN`. */
  language: string
}

export interface Sounds {
  /** @param word the verdict as shown on the screen; spoken to a refused person if speech is enabled */
  verdict(allowed: boolean, word: string): void
  /** Note that somebody touched the page: browsers play sound only after that. */
  touched(): void
}

/** Hertz, in the order played. */
const TONES = { allowed: [660, 880], rejected: [330, 247] }
const TONE_SECONDS = 0.16
/** A tone at full strength is too loud beside spoken words. */
const TONE_STRENGTH = 0.4

/** @param onBlocked called when the browser refuses to play sound until somebody touches the page, and when it plays again */
export function createSounds(settings: () => SoundSettings, onBlocked: (blocked: boolean) => void): Sounds {
  let context: AudioContext | null = null
  let playing: HTMLAudioElement | null = null

  function tone(allowed: boolean, strength: number): void {
    context ??= new AudioContext()
    const heard = context
    if (heard.state !== 'running') {
      onBlocked(true)
      void heard.resume().then(() => onBlocked(false))
    }
    TONES[allowed ? 'allowed' : 'rejected'].forEach((frequency, place) => {
      const from = heard.currentTime + place * TONE_SECONDS
      const gain = heard.createGain()
      gain.gain.setValueAtTime(strength * TONE_STRENGTH, from)
      gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS)
      const source = heard.createOscillator()
      source.frequency.value = frequency
      source.connect(gain).connect(heard.destination)
      source.start(from)
      source.stop(from + TONE_SECONDS)
    })
  }

  function say(words: string, language: string, strength: number): void {
    const utterance = new SpeechSynthesisUtterance(words)
    utterance.lang = language
    utterance.volume = strength
    speechSynthesis.cancel()
    speechSynthesis.speak(utterance)
  }

  function play(file: string, strength: number): void {
    playing?.pause()
    playing = new Audio(file)
    playing.volume = strength
    playing.play().then(
      () => onBlocked(false),
      (error: unknown) => {
        // A sound interrupted by the next one was not blocked.
        if ((error as { name?: string }).name === 'NotAllowedError') onBlocked(true)
      },
    )
  }

  return {
    verdict(allowed, word) {
      const { volume, prompt, file, language } = settings()
      if (volume === 0) return
      const strength = volume / 100
      const speaks = 'speechSynthesis' in window
      if (allowed && file !== null) return play(file, strength)
      if (allowed && prompt !== '' && speaks) return say(prompt, language, strength)
      tone(allowed, strength)
      if (!allowed && speaks && (prompt !== '' || file !== null)) say(word, language, strength)
    },
    touched() {
      if (context && context.state !== 'running') void context.resume().then(() => onBlocked(false))
      else onBlocked(false)
    },
  }
}

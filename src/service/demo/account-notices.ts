import { type Customer, customers as c, sender } from './people.ts'
import type { ThreadDraft } from './thread-draft.ts'

const notify = sender('Larkspur', 'no-reply@notify.larkspur.example')

const notice = (subject: string, text: string, labels: readonly string[]): ThreadDraft => ({
  subject,
  labels,
  letters: [{ from: notify, automatic: true, text }],
})

const answer = (who: Customer, score: number, words: string): ThreadDraft =>
  notice(
    `${who.company} gave ${score} of 10`,
    `How likely are you to recommend Larkspur? ${score} of 10\n\n“${words}”\n\n${who.name ?? who.email}, ${who.company}, plan ${who.plan}`,
    ['Feedback'],
  )

const trial = (company: string, town: string, people: number, found: string): ThreadDraft =>
  notice(
    `New trial: ${company}, ${town}`,
    `${company} in ${town} has begun a trial for ${people} people.\n\nHow they found us: ${found}\nTrial ends: {{date+14}}`,
    [],
  )

const seats = (who: Customer, added: number, reason: string): ThreadDraft =>
  notice(
    `${who.company} added ${added} seats`,
    `${who.company} (${who.plan}) now has ${who.seats} seats, ${added} more than before.\n\nReason given: ${reason}`,
    ['Billing'],
  )

/** What the product itself reports to the inbox: trials, answers to the yearly question, larger teams. */
export const accountNotices: readonly ThreadDraft[] = [
  answer(c.gwen, 10, 'It is the only program that my dad has never sworn at.'),
  trial('Pão & Mar', 'Nazaré', 11, 'a cousin in Lisbon who does the rota of Pastelaria Luz'),
  answer(c.phil, 7, 'Would be 9 if the clocks did not change. I know that is not you.'),
  seats(c.desmond, 12, 'wedding season begins in February now, do not ask'),
  trial('The Bell Ringers', 'Ludlow', 9, 'saw the bird on somebody’s phone'),
  answer(c.mei, 9, 'Lunar New Year was the first one in eleven years without shouting.'),
  answer(c.saoirse, 4, 'Texts at night. Ask me again when my phone sleeps.'),
  trial('Konditorei Almrausch', 'Kufstein', 14, 'search for “Dienstplan ohne Excel”'),
  seats(c.vikram, 6, 'Leicester opens a second counter'),
  answer(c.oona, 8, 'Good. Quiet. Like a good sauna, one forgets that it is there.'),
  trial('Mama Adjoa’s', 'Rotterdam', 19, 'Kwame from the Gold Coast Grill, who will not stop talking about it'),
  answer(c.pavel, 10, 'The tour guides are no longer late. They never were.'),
  answer(c.kerstin, 6, 'Fachlich sehr gut. Datenschutz bitte besser dokumentieren.'),
  trial('Spoon & Anchor', 'Whitby', 12, 'a leaflet of the Northern Bakers’ Guild'),
  seats(c.clem, 4, 'Mill Lane gets a terrace'),
  answer(c.abe, 10, 'My father kept the schedule on a pickle barrel. This is better than the barrel.'),
  trial('Dubravka Grill', 'Novi Sad', 16, 'Kafana Most, across the river'),
  answer(c.tamsin, 8, 'Told me to take a weekend off. Took one. It was fine.'),
  trial('Café des Glaces', 'Annecy', 7, 'a waiter who had it in her last job'),
  answer(c.leo, 9, 'Soixante extras, trois jours, zéro appel. Merci.'),
  seats(c.astrid, 30, 'Aarhus'),
  trial('Skál & Salt', 'Torshavn', 8, 'the page about boats as workplaces'),
  answer(c.chiara, 7, 'Perfect from April to September. In winter I only open it to look at last summer.'),
  seats(c.anouk, 3, 'night team'),
  answer(c.rory, 9, 'They told me off about the password, kindly.'),
  trial('Hotel Zur Alten Post', 'Goslar', 33, 'recommended by Engelbräu, who deliver the beer'),
  answer(c.imogen, 9, 'Would like two people on one scone. Otherwise lovely.'),
]

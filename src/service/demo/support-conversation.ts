import { pdf } from './drawn-files.ts'
import { agents, customers, staff } from './people.ts'
import { cutOffPrint, printerDisplay } from './letter-pictures.ts'
import type { Correspondent, ThreadDraft } from './thread-draft.ts'

const { mara, tomasz } = agents
const vikram = customers.vikram
const lakshmi: Correspondent = { name: 'Lakshmi Shetty', email: 'lakshmi@udupigrand.example' }

/** The long one: a printed rota that loses its Sundays, over nine days and with everything that such a search brings. */
export const supportConversation: ThreadDraft = {
  subject: 'Printed rota loses Sunday (only in Leicester, only on the big printer)',
  labels: ['Bug', 'Waiting', 'Feedback', 'Urgent'],
  unread: true,
  letters: [
    {
      from: vikram,
      text: `Hello,

We print the week on A3 and pin it beside the dosa station. Since last week the Leicester print ends on Saturday. Sunday is simply not there. On screen it is there. In Harrow and Wembley the same rota prints with Sunday.

Last Sunday three people did not come, because "it was not on the paper". The paper is the law here, I cannot argue with it.

Vikram Shetty
Udupi Grand`,
      files: [cutOffPrint('leicester-print.png', 'right')],
    },
    {
      from: mara,
      hoursLater: 1.2,
      text: `Hello Vikram,

Three people short on a Sunday is bad, I am sorry. To find out where Sunday goes I need two small things:

- on the Leicester computer: Print, then "Save as PDF" instead of the printer, and send me that file
- the name of the printer and how the paper lies in it

Until then: "Print, Two pages" puts Friday to Sunday on a sheet of their own. Not pretty, but it has a Sunday.`,
    },
    {
      from: vikram,
      hoursLater: 3,
      text: `PDF attached. It HAS Sunday. So it is the printer?? It is a big Ostrava 9000 that we bought from a closing architect. My nephew says it is older than he is.`,
      files: [
        {
          name: 'rota-leicester.pdf',
          type: 'application/pdf',
          content: pdf([
            'Udupi Grand, Leicester',
            'Monday to Sunday',
            'Dosa station: Anil, Priti, Joseph',
            'Sunday: Anil, Farah, Suresh',
          ]),
        },
      ],
    },
    {
      from: mara,
      hoursLater: 0.7,
      text: `The PDF is right: seven columns, Sunday with Anil, Farah and Suresh. So we make it and something after us cuts it off.

An architect's printer may believe that it has a roll and not sheets. Is there a paper setting called "Roll", "Custom" or "A3+"?`,
    },
    {
      from: vikram,
      hoursLater: 2,
      text: `There is "Roll 297". I have set it to A3. Now it prints Sunday, and no Monday.`,
    },
    {
      from: mara,
      hoursLater: 0.3,
      text: `That is progress of a kind. Could you send me a photograph of both prints side by side, with the edges of the paper visible?`,
    },
    {
      from: vikram,
      hoursLater: 17,
      text: `Photographs. Left is "Roll", right is "A3". My nephew held them. He would like it noted that he has an exam.`,
      files: [cutOffPrint('left-roll.png', 'right'), cutOffPrint('right-a3.png', 'left')],
    },
    {
      from: mara,
      hoursLater: 1.5,
      cc: [staff.ines],
      text: `Good luck to your nephew.

In both pictures the content is shifted by the width of one column: to the right with "Roll", to the left with "A3". Something centres a page that we have already centred. I have asked Inês, who wrote the print view, to read along.`,
    },
    {
      from: { name: 'Inês Carvalho', email: 'ines@larkspur.example' },
      hoursLater: 2.2,
      cc: [vikram],
      text: `Hi Vikram, hi Mara,

One question for the printer: does its menu have "Auto-centre" or "Oversize handling"? Large-format machines move the image when they think that it is wider than the printable area. Ours is, by 4 mm, since 4.12, because we made the margins smaller so that eight names fit.

So it is us and the printer together. Nobody else has noticed since nobody else has an architect's printer.`,
    },
    {
      from: vikram,
      hoursLater: 4,
      text: `"Oversize handling: Centre / Crop left / Crop right / Ask". It is on Centre. Which one do I take?`,
    },
    {
      from: tomasz,
      hoursLater: 0.4,
      text: `Hello Vikram, Tomasz here, Mara is on the late shift this week. Please take "Ask". Then print one page, and tell me what it asks.`,
    },
    { from: vikram, hoursLater: 1, text: `It asks in Czech.` },
    {
      from: tomasz,
      hoursLater: 0.2,
      text: `That I did not expect, but I can nearly read Czech. Photograph, please?`,
    },
    {
      from: vikram,
      hoursLater: 0.5,
      text: `Here. The nephew has gone to his exam, so it is crooked.`,
      files: [printerDisplay('menu-in-czech.png')],
    },
    {
      from: tomasz,
      hoursLater: 0.6,
      text: `"Obraz přesahuje tisknutelnou oblast. Zmenšit?" The image is larger than the printable area. Make it smaller? Press "Ano", that is yes.

If "Ano" gives you all seven days, we know everything that we need to know.`,
    },
    {
      from: vikram,
      hoursLater: 0.3,
      text: `ANO. Seven days. Slightly small, but seven. I have counted twice and so has the dosa station.`,
    },
    {
      from: tomasz,
      hoursLater: 0.4,
      text: `Děkuji! Then the cause is certain: our margins. Inês is giving the print view a safe margin for paper of A3 and larger. Until that is out you press Ano once a week.`,
    },
    {
      from: lakshmi,
      hoursLater: 15,
      cc: [vikram],
      text: `Good morning, Vikram's sister, I do the Wembley rota. Since you are in there: can the print be sorted by station and not by name? On the wall nobody looks for Anil. They look for "dosa, Friday, who".`,
    },
    {
      from: mara,
      hoursLater: 5,
      cc: [vikram],
      text: `Good morning Lakshmi,

It can, and it is well hidden: Print, More, "Group by station". I agree that it ought to be the first choice on paper. Aiko, who draws our screens, has seen your sentence and stuck it on the wall beside "cold hands".`,
    },
    {
      from: lakshmi,
      hoursLater: 1,
      text: `Found it. Printed it. There was applause from the tawa. Why was this hidden!`,
    },
    {
      from: vikram,
      hoursLater: 20,
      quotes: false,
      text: `Week two. I pressed Ano. Seven days. But the person who closes on Saturday cannot press Ano since the menu is locked with a PIN that the architect took with him. Any news of the margins?`,
    },
    {
      from: staff.ines,
      hoursLater: 6,
      cc: [vikram],
      text: `Hi Vikram,

Margins are done and on your account only, since ten minutes ago. Reload the print page once (Ctrl and F5) and print to the Ostrava with "Oversize handling" back on "Centre". It should not ask anything, in any language.`,
    },
    { from: vikram, hoursLater: 3, text: `It asked nothing. Monday to Sunday, full size. Who do I send sweets to?` },
    {
      from: mara,
      hoursLater: 0.5,
      text: `To the nephew, for holding the paper. How did the exam go?\n\nWe keep this open until the margins are out for everyone, on {{workday+2}}, and I will write once more then.`,
    },
    {
      from: vikram,
      hoursLater: 16,
      text: `Passed, with distinction. He says that the essay was about "a small change with large consequences" and that he wrote about 4 mm.`,
    },
    { from: lakshmi, hoursLater: 4, cc: [vikram], text: `And Sunday: everyone came. Even Joseph, who was not on it.` },
  ],
}

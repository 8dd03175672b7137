package extract

import (
	"keepmum/memory"
	"testing"
)

// Written after the first list was met, and before looking at what they give.
func TestMoreThatIsWorthRemembering(t *testing.T) {
	const done = "I've changed the handler and added two tests. All tests pass."
	const plan = "I would put the cache into a package of its own and use an LRU with 1,000 entries. Shall I go ahead?"
	const ways = "Two approaches come to mind. A cron job that polls every minute is easy to build. Webhooks would be faster, but the partner has to whitelist us. What do you think?"
	const ab = "Option A: keep the monolith and split the module. Option B: a separate service with its own database. A is quicker, B scales better."
	checkRemarks(t, []remark{
		{ways, "", "polling is good enough, nobody looks at those numbers more than twice a day, and whitelisting takes them months", "any", "polling"},
		{ways, "", "cron job. their it needs months for a whitelist", "any", "cron"},
		{ways, "", "webhooks please. polling would get us rate limited, they only allow 100 calls a day", "any", "webhook"},
		{ways, "", "go for polling, simpler", memory.Decision, "polling"},
		{ways, "", "I don't want to depend on their whitelist, so polling", "any", "polling"},
		{ways, "", "We tried webhooks in 2023 and lost events whenever they redeployed. Polling it is.", memory.Decision, "polling"},
		{ab, "", "A. we are three people, we can't run another service", "any", "service"},
		{ab, "", "B, because the reporting load kills the main database at month end", memory.Decision, "reporting"},
		{ab, "", "option a, the team is too small to operate two services", memory.Decision, "team"},
		{plan, "", "no caching at all here. prices must be live, a customer sued us over a stale price once", "any", "stale"},
		{plan, "", "hmm no, an LRU of our own is one more thing to maintain. use the http cache in front, that's what it's for", "any", "http cache"},
		{plan, "", "I'd prefer ristretto over rolling our own, since it is what the other services use", "any", "ristretto"},
		{done, "", "looks good but the handler shouldn't know about sql. all queries live in the store package, that's how the whole codebase is built", memory.Learning, "store"},
		{done, "", "you used a mutex. in this codebase we pass messages, shared state is what made v1 a mess", memory.Learning, "messages"},
		{done, "", "I really don't like inheritance for this. composition everywhere please", memory.Learning, "composition"},
		{done, "", "again with the any types... we turned on strict for a reason", memory.Learning, "strict"},
		{done, "", "you can't use that endpoint in production, the partner charges us 2 cents per call. everything goes through the cache table", memory.Learning, "cache"},
		{done, "", "the CI has no network access, so everything that downloads at test time fails there", memory.Learning, "network"},
		{done, "", "fyi the qa devices run android 9, anything above api 28 crashes there", memory.Learning, "android"},
		{done, "", "one thing you can't know: the customer ids are reused after two years, so never use them as a primary key", memory.Learning, "reused"},
		{done, "", "The accounting department exports this every quarter with a macro, so the column order must not change.", memory.Learning, "column order"},
		{done, "", "don't rename columns in that table, the bi people query it directly and their dashboards break", memory.Learning, "dashboards"},
		{done, "", "we can't use gpl libraries, legal says no", memory.Learning, "gpl"},
		{done, "", "our users are on slow connections mostly, every kb in that bundle hurts", memory.Learning, "slow"},
		{done, "", "Speak german in commit messages, the whole team does", memory.Learning, "german"},
		{done, "", "I told you already, no emojis in log messages, the parser chokes on them", memory.Learning, "emojis"},
		{"The upgrade to React 19 needs changes in 60 files. I can start with the forms.", "", "we're not going to do that this year. the design system is still on 18 and we won't fork it", "any", "design system"},
		{"I could replace the shell scripts by a Makefile, that would be cleaner.", "", "no leave the scripts, half the ops team runs them on windows with git bash and there's no make there", "any", "windows"},
		{done, "", "mach bitte nie wieder Änderungen direkt in der generierten Datei, die wird beim Build überschrieben", memory.Learning, "generierten"},
		{done, "", "bei uns laufen Migrationen immer nachts, weil tagsüber die Tabellen gesperrt werden", memory.Learning, "nachts"},
		{done, "", "on ne met jamais de logique dans les contrôleurs, tout passe par les services", memory.Learning, "services"},
		{done, "", "ese servidor se reinicia todos los domingos, así que nada puede quedar en memoria", memory.Learning, "domingos"},
	})
}
func TestMoreThatIsNot(t *testing.T) {
	const done = "I've changed the handler and added two tests. All tests pass."
	const ways = "Two approaches come to mind. A cron job that polls every minute is easy to build. Webhooks would be faster, but the partner has to whitelist us. What do you think?"
	checkRemarks(t, []remark{
		{done, "", "hm, the second test is wrong. the discount has to be applied before tax", "", ""},
		{done, "", "no, the column is called owner_id, not user_id", "", ""},
		{done, "", "it still fails, same error as before, all tests in that file are red", "", ""},
		{done, "", "the menu is broken on mobile now, every item is cut off. screenshot attached", "", ""},
		{done, "", "stop, I pasted the wrong file", "", ""},
		{done, "", "wait that deleted all my local changes?", "", ""},
		{done, "", "add validation for every field and return 422 with the list of errors", "", ""},
		{done, "", "the title must be bold and the subtitle has to be grey", "", ""},
		{done, "", "make the button green instead of blue, and move it to the right", "", ""},
		{done, "", "can you explain why we need the lock here? I would have thought the channel is enough", "", ""},
		{ways, "", "interesting. how much work is each?", "", ""},
		{ways, "", "let me ask the team tomorrow", "", ""},
		{done, "", "ok next: the csv export must have a header row and use semicolons", "", ""},
		{done, "", "let's go on with the next ticket", "", ""},
		{done, "", "let's run it once more and see", "", ""},
		{done, "", "great, use the same approach for the other three handlers", "", ""},
		{done, "", "I'll be back after lunch, the meeting takes a whole hour every time", "", ""},
		{done, "", "the whole thing took us 3 days lol. anyway thanks", "", ""},
		{done, "", "everything works now, also on staging, thank you so much", "", ""},
		{done, "", "hmm the page is slow because there are too many queries. can you look into it", "", ""},
		{done, "", "nothing changed, all the numbers are the same as before", "", ""},
		{done, "", "revert the last commit, it broke the build for everybody", "", ""},
		{done, "", "undo the second change please, keep the first", "", ""},
		{done, "", "delete all the old branches except release ones", "", ""},
		{done, "", "sorry my mistake, the server was down the whole time because of the update", "", ""},
		{done, "", "the error is gone but now the list has duplicates", "", ""},
		{done, "", "Please use the class from the other module instead of duplicating the code", "", ""},
		{done, "", "do it without the extra query because we have the user already", "", ""},
		{done, "", "no idea why but it doesn't crash any more. leave it", "", ""},
		{done, "", "Kannst du alle Tests nochmal laufen lassen? Der Build ist kaputt", "", ""},
		{done, "", "c'est bon, tout marche maintenant", "", ""},
		{"All 14 tests pass now. Should I also update the changelog?", "", "yes, and use the present tense for every entry in it", "", ""},
		{"I see two places where this could be fixed: the parser or the caller. Which do you prefer?", "", "parser", "", ""},
	})
}

func TestAThirdListOfRemarks(t *testing.T) {
	const done = "The importer now skips rows without a date and logs a warning for each. I ran the suite and it is green."
	const q = "For the map we could use Leaflet with raster tiles, or MapLibre with vector tiles. Leaflet is lighter, MapLibre rotates and styles better. Which way should I go?"
	const prop = "I recommend moving the settings into environment variables, since containers get them easily, and deleting the ini file. Should I start?"
	checkRemarks(t, []remark{
		{q, "", "leaflet. our field workers have phones from 2016 and webgl dies on them", "any", "leaflet"},
		{q, "", "Vector tiles, the designers want to change colours per tenant and with raster we'd have to render everything again", "any", "vector"},
		{q, "", "hmm maplibre, rotating is the feature they paid for", "any", "maplibre"},
		{q, "", "I think Leaflet will do. We never rotate and the offline bundle must stay under 20 MB.", "any", "leaflet"},
		{prop, "", "no env vars for that, the operators edit the ini file by hand on site and there are no containers in the plants", "any", "ini"},
		{prop, "", "better not. environment variables end up in the crash dumps and those go to the vendor", "any", "crash dumps"},
		{done, "", "no no, don't skip rows. a missing row means a wrong invoice for us, the import has to stop and say which line", memory.Learning, "stop"},
		{done, "", "a warning per row? we get files with 2 million rows, last time that filled the disk of the log server", memory.Learning, "disk"},
		{done, "", "you logged the customer name. nothing personal goes into the logs, data protection checks that every year", memory.Learning, "personal"},
		{done, "", "One more thing for next time: run the slow suite too, the fast one does not cover the importers.", memory.Learning, "slow suite"},
		{done, "", "by the way those files come from a mainframe, the encoding is always cp1047 no matter what the header says", memory.Learning, "cp1047"},
		{done, "", "good. just so you know, the table is partitioned by month and ops drops everything older than a year", memory.Learning, "partition"},
		{done, "", "why the third party date library. the standard one can do this and every dependency has to pass a security review that takes weeks", memory.Learning, "dependency"},
		{done, "", "please use tabs. the whole codebase is tabs and the formatter in ci fails otherwise", memory.Learning, "tabs"},
		{done, "", "we have a convention for that: feature flags are named area.feature.state and get removed after two releases", memory.Learning, "flags"},
		{q, "", "what do others use?", "", ""},
		{q, "", "show me a screenshot of both first", "", ""},
		{prop, "", "yes start", "", ""},
		{prop, "", "yes, but call the variable APP_MODE", "", ""},
		{done, "", "how many rows were skipped in the sample file? and print them with their line numbers please", "", ""},
		{done, "", "ok now do the exporter, it needs the same check and the same warning", "", ""},
		{done, "", "the warning has a typo, it must say date and not data", "", ""},
		{done, "", "hmm it takes 3 minutes now, before it was 10 seconds. something is wrong with the loop", "", ""},
		{done, "", "I ran it against the real file and it broke at line 812, no idea why. here's the line: 2024-01-01;;;", "", ""},
		{done, "", "thx. tomorrow we do the same for suppliers, then everything is migrated", "", ""},
		{done, "", "can you move the check into its own function and call it for every row before the transaction starts", "", ""},
		{done, "", "no I meant the other importer, the one for suppliers", "", ""},
		{done, "", "looks right. put all of it in one commit and write a good message", "", ""},
		{done, "", "you forgot the test for empty files, and the one for the header must not be skipped", "", ""},
	})
}

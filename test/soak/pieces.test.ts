// The longest piece of work in each attack: 50 ms of processor time at most, measured with nothing beside it.
import '../node/council/knowledge.test';
import '../node/council/quotes.test';
import '../node/fleet/many.test';
import '../plugin/council/flood.test';

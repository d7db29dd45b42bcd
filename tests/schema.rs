//! explore
mod support;
use mcp_conform::schema::*;
use serde_json::*;
fn files(dir:&std::path::Path, out:&mut Vec<std::path::PathBuf>){ for e in std::fs::read_dir(dir).unwrap(){ let p=e.unwrap().path(); if p.is_dir(){files(&p,out)} else {out.push(p)} } }
#[test]
fn explore() {
    for (d,uri) in [("draft2020-12",None),("draft7",Some("http://json-schema.org/draft-07/schema#"))] {
        let dir=support::shared(&format!("peers/json-schema/tests/{d}")).unwrap();
        let mut fs=vec![]; files(&dir,&mut fs); fs.sort();
        let (mut ok,mut total)=(0,0);
        for f in fs { let name=f.strip_prefix(&dir).unwrap().display().to_string();
            let src=mcp_conform::source::Source::new("x",std::fs::read_to_string(&f).unwrap(),mcp_conform::source::Format::Json);
            let parsed=src.parse(&Default::default()).unwrap();
            for (gi,g) in parsed.value.as_array().unwrap().iter().enumerate() {
                let mut s=g["schema"].clone();
                if let (Some(u),Some(o))=(uri,s.as_object_mut()) { if !o.contains_key("$schema"){ o.insert("$schema".into(),json!(u)); } }
                let schema=Schema::new(&s,Bounds::default());
                match schema.compiled() {
                    Err(e)=>{ println!("{d} UNUSABLE {name} | {} | {e:?} ({} tests)",g["description"],g["tests"].as_array().unwrap().len()); }
                    Ok(c)=> for (ti,t) in g["tests"].as_array().unwrap().iter().enumerate() {
                        let base=mcp_conform::source::Pointer::from(format!("/{gi}/tests/{ti}/data"));
                        total+=1;
                        let j=c.judge(Instance{value:&t["data"],base:&base,rounded:&parsed.rounded});
                        if let Judgement::DoesNotFit(v)=&j { for v in v { if t["data"].pointer(v.instance.as_str()).is_none() {println!("{d} WRONG inst {name} {} {:?}",g["description"],v)} if s.pointer(v.schema.as_str()).is_none() {println!("{d} WRONG schemaptr {name} {} {:?}",g["description"],v)}
                          if v.schema.last().map(|l|l.into_owned()).unwrap_or_default()!=v.keyword {println!("{d} WRONG kw {name} {} {:?}",g["description"],v)} } }
                        let good=match (&j,t["valid"].as_bool().unwrap()) {(Judgement::Fits,true)=>true,(Judgement::DoesNotFit(_),false)=>true,_=>false};
                        if good {ok+=1} else { println!("{d} WRONG {name} | {} | {} | expected {} got {:?}",g["description"],t["description"],t["valid"],j); }
                    }
                }
            }
        }
        println!("{d}: {ok} of {total}");
    }
}
